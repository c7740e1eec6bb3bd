import keras
from keras import layers


class Committee:
    """Several small networks that are trained alike and vote by their mean."""

    def __init__(self, members, inputs, units=8):
        self._members = [self._member(inputs, units, seed) for seed in range(members)]

    @staticmethod
    def _member(inputs, units, seed):
        init = keras.initializers.GlorotUniform(seed=seed)
        return keras.Sequential([
            keras.Input((inputs,)),
            layers.Dense(units, activation="tanh", kernel_initializer=init),
            layers.Dense(1),
        ])

    def __iter__(self):
        return iter(self._members)

    def __len__(self):
        return len(self._members)

    def vote(self, x):
        return sum(member(x) for member in self) / len(self)
