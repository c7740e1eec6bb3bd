import keras
from keras import layers


class Member(keras.Model):
    def __init__(self, width, seed):
        super().__init__()
        init = keras.initializers.GlorotUniform(seed=seed)
        self.h = layers.Dense(width, activation="tanh", kernel_initializer=init)
        self.mean = layers.Dense(1)
        self.log_sd = layers.Dense(1)

    def call(self, x):
        h = self.h(x)
        return self.mean(h), self.log_sd(h)


def build(count=3, width=12):
    return [Member(width, seed=i) for i in range(count)]
