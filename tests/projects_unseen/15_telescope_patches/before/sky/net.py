import keras
from keras import layers


def build(side, augment):
    return keras.Sequential([
        keras.Input((side, side)),
        augment,
        layers.Reshape((side, side, 1)),
        layers.Conv2D(4, 3, activation="relu"),
        layers.GlobalAveragePooling2D(),
        layers.Dense(1),
    ])
