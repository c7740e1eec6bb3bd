"""Ensemble: one compiled step per member, made once by a factory."""
import numpy as np
import tensorflow as tf
import keras

SIZES = {"small": 4, "medium": 8, "large": 16}


def make_member(width, lr, seed):
    keras.utils.set_random_seed(seed)
    net = keras.Sequential([keras.Input((2,)), keras.layers.Dense(width, activation="tanh"),
                            keras.layers.Dense(1)])
    optimizer = keras.optimizers.Adam(lr)
    optimizer.build(net.trainable_variables)

    @tf.function
    def epoch(ds, seed):
        total, n = tf.constant(0.0), tf.constant(0.0)
        for i, (x, y) in ds.enumerate():
            noise = tf.random.stateless_normal(tf.shape(x), tf.stack([seed, i]), stddev=0.01)
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(tf.square(net(x + noise) - y))
            grads = tape.gradient(loss, net.trainable_variables)
            optimizer.apply_gradients(zip(grads, net.trainable_variables))
            total += loss
            n += 1.0
        return total / n

    return net, epoch


def dataset(n=256, seed=0):
    x = np.random.default_rng(seed).uniform(-1, 1, (n, 2)).astype("float32")
    y = x[:, :1] * x[:, 1:]
    return tf.data.Dataset.from_tensor_slices((x, y)).batch(32, drop_remainder=True)


if __name__ == "__main__":
    ds = dataset()
    members = {name: make_member(w, 1e-2, k) for k, (name, w) in enumerate(SIZES.items())}
    for name, (net, epoch) in members.items():
        curve = [float(epoch(ds, tf.constant(e, tf.int64))) for e in range(10)]
        print(f"{name:7s} {curve[0]:.4f} -> {curve[-1]:.4f}")
    probe = tf.constant([[0.5, 0.5]])
    votes = [float(net(probe)[0, 0]) for net, _ in members.values()]
    print("mean vote", round(float(np.mean(votes)), 2), "spread", round(float(np.std(votes)), 2))
