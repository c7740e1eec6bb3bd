import keras
from keras import ops

from .balance import Balance


class ReservoirModel(keras.Model):
    def __init__(self, capacity):
        super().__init__()
        self.capacity = capacity
        self.raw_release = self.add_weight(shape=(), initializer="zeros", name="release")
        self.gain = self.add_weight(shape=(), initializer="ones", name="gain")

    def call(self, inflow):
        balance = Balance(self.capacity, ops.sigmoid(self.raw_release))
        daily = ops.transpose(self.gain * inflow)
        start = ops.zeros_like(daily[0])
        _, levels = ops.scan(balance.day, start, daily)
        return ops.transpose(levels)
