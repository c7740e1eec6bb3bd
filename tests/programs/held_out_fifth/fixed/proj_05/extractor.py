import keras
from keras import layers


def build_extractor(size=16):
    """Small frozen network whose activations serve as features."""
    keras.utils.set_random_seed(7)
    net = keras.Sequential(
        [
            layers.Input((size, size, 1)),
            layers.Conv2D(6, 3, activation="relu"),
            layers.Conv2D(8, 3, strides=2, activation="relu"),
        ]
    )
    net.trainable = False
    return net
