"""K-fold comparison of a few small architectures."""
import keras
import numpy as np
import tensorflow as tf

BUILDERS = {}


def register(name):
    def deco(fn):
        BUILDERS[name] = fn
        return fn
    return deco


@register("linear")
def linear(dim):
    return keras.Sequential([keras.Input((dim,)), keras.layers.Dense(1)])


@register("mlp")
def mlp(dim):
    return keras.Sequential([
        keras.Input((dim,)),
        keras.layers.Dense(16, activation="relu"),
        keras.layers.Dense(1),
    ])


def folds(n, k):
    order = np.random.default_rng(0).permutation(n)
    for part in np.array_split(order, k):
        mask = np.ones(n, bool)
        mask[part] = False
        yield np.flatnonzero(mask), part


def train_step(model, optimizer, x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(x, training=True) - y))
    grads = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))
    return loss


def fit_fold(name, x, y, epochs=3):
    model = BUILDERS[name](x.shape[1])
    optimizer = keras.optimizers.Adam(0.05)
    step = tf.function(train_step)
    ds = tf.data.Dataset.from_tensor_slices((x, y)).batch(20, drop_remainder=True)
    for _ in range(epochs):
        for bx, by in ds:
            step(model, optimizer, bx, by)
    return model


def main():
    keras.utils.set_random_seed(0)
    rng = np.random.default_rng(1)
    x = rng.normal(size=(120, 4)).astype("float32")
    y = (x @ np.array([[1.0], [-2.0], [0.5], [0.0]], "float32")).astype("float32")
    for name in BUILDERS:
        scores = []
        for train_idx, test_idx in folds(len(x), 3):
            model = fit_fold(name, x[train_idx], y[train_idx])
            pred = model(x[test_idx]).numpy()
            scores.append(float(np.mean((pred - y[test_idx]) ** 2)))
        print(name, "mse %.3f" % np.mean(scores))


if __name__ == "__main__":
    main()
