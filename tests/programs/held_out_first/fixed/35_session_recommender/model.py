from tensorflow import keras

from pooling import masked_mean, padding_mask


class SessionEncoder(keras.layers.Layer):
    def __init__(self, items, dim, **kwargs):
        super().__init__(**kwargs)
        self.embed = keras.layers.Embedding(items, dim)
        self.mix = keras.layers.Dense(dim, activation="tanh")

    def call(self, items):
        return self.mix(masked_mean(self.embed(items), padding_mask(items)))


class Recommender(keras.Model):
    def __init__(self, items, dim, **kwargs):
        super().__init__(**kwargs)
        self.encoder = SessionEncoder(items, dim)
        self.scores = keras.layers.Dense(items)

    def call(self, items):
        return self.scores(self.encoder(items))
