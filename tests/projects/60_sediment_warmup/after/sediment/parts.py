import keras


def encoder(latent):
    return keras.Sequential([keras.layers.Dense(8, activation="relu"), keras.layers.Dense(2 * latent)])


def decoder():
    return keras.Sequential([keras.layers.Dense(8, activation="relu"), keras.layers.Dense(12)])
