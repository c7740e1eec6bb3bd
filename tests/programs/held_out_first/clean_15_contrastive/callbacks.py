import keras


class BestEpoch(keras.callbacks.Callback):
    def __init__(self):
        super().__init__()
        self.best, self.epoch = float("inf"), None

    def on_epoch_end(self, epoch, logs=None):
        if logs["loss"] < self.best:
            self.best, self.epoch = logs["loss"], epoch
