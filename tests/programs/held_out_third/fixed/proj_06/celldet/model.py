import keras
from keras import layers


def detector(cfg):
    x = inp = keras.Input((cfg.size, cfg.size, 1))
    for filters in (8, 16, 24):
        x = layers.Conv2D(filters, 3, strides=2, padding="same", activation="relu")(x)
    return keras.Model(inp, [layers.Conv2D(1, 1)(x), layers.Conv2D(3, 1, activation="sigmoid")(x)])
