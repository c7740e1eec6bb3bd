import keras
from keras import layers


def build_tagger(cfg):
    tokens = keras.Input((cfg["max_len"],), dtype="int32")
    h = layers.Embedding(cfg["vocab"], cfg["dim"])(tokens)
    h = layers.Conv1D(2 * cfg["dim"], 3, padding="same", activation="relu")(h)
    return keras.Model(tokens, layers.Dense(cfg["tags"])(h), name="tagger")
