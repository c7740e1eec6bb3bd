import keras

from settings import QUANTILES


def network(hidden):
    inp = keras.Input((1,))
    h = keras.layers.Dense(hidden, activation="relu")(inp)
    h = keras.layers.Dense(hidden, activation="relu")(h)
    return keras.Model(inp, keras.layers.Dense(len(QUANTILES))(h))
