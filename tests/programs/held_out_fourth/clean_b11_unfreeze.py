"""Transfer learning in two phases: head first, then everything."""
import functools

import keras
import numpy as np


def backbone(dim):
    return keras.Sequential([
        keras.Input((dim,)),
        keras.layers.Dense(16, activation="relu"),
        keras.layers.BatchNormalization(),
        keras.layers.Dense(8, activation="relu"),
    ], name="backbone")


def compiled(model, lr):
    model.compile(
        optimizer=keras.optimizers.Adam(lr),
        loss=keras.losses.BinaryCrossentropy(from_logits=True),
        metrics=[keras.metrics.BinaryAccuracy(threshold=0.0, name="acc")],
    )
    return model


def task(rule, n, seed):
    x = np.random.default_rng(seed).normal(size=(n, 4)).astype("float32")
    return x, rule(x).astype("float32")[:, None]


def attach(base, dim):
    inp = keras.Input((dim,))
    h = base(inp, training=False)
    return keras.Model(inp, keras.layers.Dense(1)(h))


def trainable_count(model):
    return sum(int(np.prod(v.shape)) for v in model.trainable_variables)


PHASES = [
    {"frozen": True, "lr": 1e-2, "epochs": 3},
    {"frozen": False, "lr": 1e-3, "epochs": 3},
]


def main():
    keras.utils.set_random_seed(0)
    base = backbone(4)
    source = compiled(keras.Sequential([keras.Input((4,)), base, keras.layers.Dense(1)]), 1e-2)
    fit = functools.partial(keras.Model.fit, batch_size=32, verbose=0)
    fit(source, *task(lambda x: x[:, 0] > x[:, 1], 192, 0), epochs=3)

    model = attach(base, 4)
    x, y = task(lambda x: x[:, 0] + x[:, 2] > x[:, 1], 128, 1)
    for phase in PHASES:
        base.trainable = not phase["frozen"]
        compiled(model, phase["lr"])
        hist = fit(model, x, y, epochs=phase["epochs"])
        print("frozen", phase["frozen"], "trainable", trainable_count(model),
              "loss %.3f acc %.3f" % (hist.history["loss"][-1], hist.history["acc"][-1]))


if __name__ == "__main__":
    main()
