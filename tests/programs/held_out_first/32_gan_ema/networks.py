from tensorflow import keras
from tensorflow.keras import layers


def generator(settings):
    return keras.Sequential([
        keras.Input((settings["noise"],)),
        layers.Dense(settings["width"], activation="relu"),
        layers.Dense(2),
    ], name="generator")


def discriminator(settings):
    return keras.Sequential([
        keras.Input((2,)),
        layers.Dense(settings["width"], activation="relu"),
        layers.Dense(1),
    ], name="discriminator")
