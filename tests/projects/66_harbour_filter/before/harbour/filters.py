import tensorflow as tf

from harbour.windows import smooth


class TideFilter(tf.Module):
    def __init__(self, width=3):
        super().__init__()
        self.width = width

    def set_width(self, width):
        self.width = width

    @tf.function
    def filtered(self, levels):
        return smooth(levels, self.width)
