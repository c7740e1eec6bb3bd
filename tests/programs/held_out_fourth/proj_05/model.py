import keras


def build(cfg):
    backbone = keras.Sequential([
        keras.Input((cfg.side, cfg.side, 1)),
        keras.layers.Conv2D(cfg.filters, 3, activation="relu"),
        keras.layers.Conv2D(cfg.filters, 3, strides=2, activation="relu"),
        keras.layers.Flatten(),
    ], name="backbone")
    backbone.trainable = False
    model = keras.Sequential([keras.Input((cfg.side, cfg.side, 1)), backbone,
                              keras.layers.Dense(cfg.classes)])
    return model


def compile_model(model, lr):
    model.compile(keras.optimizers.Adam(lr),
                  keras.losses.SparseCategoricalCrossentropy(from_logits=True),
                  metrics=["accuracy"])
