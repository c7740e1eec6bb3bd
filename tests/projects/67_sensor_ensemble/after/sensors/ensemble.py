import keras


class Ensemble:
    def __init__(self, members):
        self._members = [keras.Sequential([keras.Input((2,)), keras.layers.Dense(1)]) for _ in range(members)]

    def __iter__(self):
        yield from self._members
