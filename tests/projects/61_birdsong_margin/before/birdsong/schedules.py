import keras


class MarginSchedule(keras.callbacks.Callback):
    def __init__(self, loss, step):
        super().__init__()
        self.loss = loss
        self.step = step

    def on_epoch_begin(self, epoch, logs=None):
        if epoch:
            self.loss.margin += self.step
