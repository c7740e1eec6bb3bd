import keras


def build(size):
    return keras.Sequential([
        keras.Input((size, size, 1)),
        keras.layers.Conv2D(4, 3, activation="relu"),
        keras.layers.GlobalMaxPooling2D(),
        keras.layers.Dense(2),
    ])
