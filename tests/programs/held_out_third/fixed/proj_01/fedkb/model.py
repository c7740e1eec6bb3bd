import keras
from keras import layers


def shared_network(cfg):
    return keras.Sequential([
        keras.Input((cfg.context,), dtype="int32"),
        layers.Embedding(cfg.n_chars, cfg.embed),
        layers.Flatten(),
        layers.Dense(cfg.hidden, activation="relu"),
        layers.Dense(cfg.n_chars),
    ], name="shared")
