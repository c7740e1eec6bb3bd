import keras


class Network(keras.Model):
    def __init__(self):
        super().__init__()
        self.encoder = keras.layers.Dense(6, activation="tanh")
        self.head = keras.layers.Dense(1)

    def call(self, features):
        return self.head(self.encoder(features))
