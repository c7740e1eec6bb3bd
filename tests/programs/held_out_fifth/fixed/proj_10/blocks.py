from keras import layers

from stability import limit_energy


class ResidualBlock(layers.Layer):
    def __init__(self, units, **kw):
        super().__init__(**kw)
        self.a = layers.Dense(units, activation="relu")
        self.b = layers.Dense(units)
        self.norm = layers.LayerNormalization()

    def build(self, shape):
        for part in (self.a, self.b, self.norm):
            part.build(shape)

    def call(self, x):
        return self.norm(x + limit_energy(self.b(self.a(x))))
