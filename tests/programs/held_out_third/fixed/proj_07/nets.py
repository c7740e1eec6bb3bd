import keras


def mlp(n_in, widths, n_out, name):
    inputs = keras.Input((n_in,))
    h = inputs
    for w in widths:
        h = keras.layers.Dense(w)(h)
        h = keras.layers.LeakyReLU(negative_slope=0.2)(h)
    return keras.Model(inputs, keras.layers.Dense(n_out)(h), name=name)


def generator(cfg):
    return mlp(cfg.latent, cfg.widths, 2, "generator")


def discriminator(cfg):
    return mlp(2, cfg.widths, 1, "discriminator")
