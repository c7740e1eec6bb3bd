import keras


def build_model(cfg):
    return keras.Sequential([
        keras.Input((None,), dtype="int32"),
        keras.layers.Embedding(cfg.vocab, cfg.width),
        keras.layers.Dense(cfg.width, activation="relu"),
        keras.layers.Dense(cfg.tags),
    ])
