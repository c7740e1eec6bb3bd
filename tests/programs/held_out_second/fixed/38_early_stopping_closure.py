"""Training loop in closures, keeps the best validation loss and stops early."""
import numpy as np
import tensorflow as tf


def polynomial(n, seed):
    rng = np.random.default_rng(seed)
    x = rng.uniform(-1, 1, (n, 1)).astype("float32")
    y = x ** 3 - 0.5 * x + 0.05 * rng.normal(size=(n, 1))
    return tf.constant(np.hstack([x ** k for k in range(6)])), tf.constant(y, tf.float32)


def make_training(features, lr=0.3):
    w = tf.Variable(tf.zeros([features, 1]))
    best_w = tf.Variable(tf.zeros([features, 1]))
    best = tf.Variable(float("inf"), trainable=False)
    bad_epochs = tf.Variable(0, trainable=False)

    def loss_of(x, y):
        return tf.reduce_mean(tf.square(x @ w - y))

    @tf.function
    def train(x, y):
        with tf.GradientTape() as tape:
            loss = loss_of(x, y)
        w.assign_sub(lr * tape.gradient(loss, w))
        return loss

    @tf.function
    def validate(x, y):
        loss = loss_of(x, y)
        bad_epochs.assign_add(1)
        if loss < best:
            best_w.assign(w)
        best.assign(tf.minimum(loss, best))
        return loss

    def status():
        return int(bad_epochs), float(best)

    return train, validate, status, best_w


def main():
    x, y = polynomial(64, 0)
    vx, vy = polynomial(32, 1)
    train, validate, status, best_w = make_training(6)
    history = []
    for epoch in range(60):
        train(x, y)
        history.append(float(validate(vx, vy)))
    print("lowest %.5f last %.5f" % (min(history), history[-1]))
    print("validations counted:", status()[0], "of", len(history))
    print("best weights", best_w.numpy().ravel().round(3))


if __name__ == "__main__":
    main()
