from tensorflow import keras


def regressor(cfg):
    net = keras.Sequential([keras.Input((cfg.bands,)), keras.layers.Normalization()])
    for units in cfg.hidden:
        net.add(keras.layers.Dense(units, activation="relu"))
    net.add(keras.layers.Dense(1))
    return net
