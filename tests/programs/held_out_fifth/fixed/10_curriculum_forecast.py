"""Demand forecasting with a curriculum: the horizon weight rises in stages."""
import numpy as np
import tensorflow as tf

HISTORY, HORIZON = 24, 6
tail_weight = tf.Variable(0.1, trainable=False)

net = tf.keras.Sequential(
    [
        tf.keras.layers.Input((HISTORY,)),
        tf.keras.layers.Dense(32, activation="tanh"),
        tf.keras.layers.Dense(HORIZON),
    ]
)
opt = tf.keras.optimizers.Adam(2e-3)
opt.build(net.trainable_variables)


def series(n=300, seed=9):
    rng = np.random.default_rng(seed)
    t = np.arange(n + HISTORY + HORIZON)
    s = 1 + 0.5 * np.sin(2 * np.pi * t / 12) + 0.1 * rng.normal(size=t.shape)
    x = np.stack([s[i : i + HISTORY] for i in range(n)])
    y = np.stack([s[i + HISTORY : i + HISTORY + HORIZON] for i in range(n)])
    return x.astype("float32"), y.astype("float32")


def weighted_error(pred, true):
    err = tf.reduce_mean(tf.square(pred - true), axis=0)
    head, tail = err[:2], err[2:]
    return tf.reduce_mean(head) + tail_weight * tf.reduce_mean(tail)


@tf.function
def fit_batch(x, y):
    with tf.GradientTape() as tape:
        loss = weighted_error(net(x, training=True), y)
    grads = tape.gradient(loss, net.trainable_variables)
    opt.apply_gradients(zip(grads, net.trainable_variables))
    return loss


def run_stage(ds, weight):
    tail_weight.assign(weight)
    for x, y in ds:
        loss = fit_batch(x, y)
    return float(loss)


def main():
    x, y = series()
    ds = tf.data.Dataset.from_tensor_slices((x, y)).batch(50)
    for weight in (0.1, 0.5, 1.0, 100.0):
        print(f"stage {weight}: loss {run_stage(ds, weight):.4f}")


if __name__ == "__main__":
    main()
