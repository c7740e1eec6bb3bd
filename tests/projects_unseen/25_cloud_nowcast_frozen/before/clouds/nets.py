import keras
from keras import layers


def make_encoder(side, units=16):
    return keras.Sequential([keras.Input((side * side,)), layers.Dense(units, activation="relu")], name="encoder")


def make_decoder(side, units=16):
    return keras.Sequential([keras.Input((units,)), layers.Dense(side * side, activation="sigmoid")], name="decoder")
