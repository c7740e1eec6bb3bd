import keras


class Warmup(keras.callbacks.Callback):
    """Raises the weight of the divergence from 0 to 1."""

    def __init__(self, epochs):
        super().__init__()
        self.epochs = epochs

    def on_epoch_end(self, epoch, logs=None):
        self.model.kl_weight = min(1.0, (epoch + 1) / self.epochs)
