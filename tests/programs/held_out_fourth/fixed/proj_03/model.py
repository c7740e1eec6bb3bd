import keras


class Encoder(keras.Model):
    def __init__(self, dim):
        super().__init__()
        self.hidden = keras.layers.Dense(16, activation="relu")
        self.out = keras.layers.Dense(dim)

    def call(self, x):
        return self.out(self.hidden(x))
