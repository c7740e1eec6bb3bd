import tensorflow as tf

from harbour.windows import smooth


class TideFilter(tf.Module):
    def __init__(self, width=3):
        super().__init__()
        self.width = width

    def set_width(self, width):
        self.width = width

    def filtered(self, levels):
        return self._filtered(levels, self.width)

    @tf.function
    def _filtered(self, levels, width):
        return smooth(levels, width)
