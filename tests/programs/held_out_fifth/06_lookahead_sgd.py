"""Lookahead around SGD written as a closure factory: slow weights follow every k steps."""
import numpy as np
import tensorflow as tf


def lookahead(variables, lr=0.1, k=5, alpha=0.5):
    slow = [tf.Variable(v, trainable=False) for v in variables]
    since_sync = 0

    def sync():
        for s, v in zip(slow, variables):
            s.assign_add(alpha * (v - s))
            v.assign(s)

    def apply(grads):
        nonlocal since_sync
        for g, v in zip(grads, variables):
            v.assign_sub(lr * g)
        since_sync += 1
        if since_sync == k:
            sync()
            since_sync = 0

    return apply, slow


def build_problem(seed=0):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(200, 8)).astype("float32")
    w = rng.normal(size=(8, 1)).astype("float32")
    y = x @ w + 0.01 * rng.normal(size=(200, 1)).astype("float32")
    return tf.constant(x), tf.constant(y)


def main(steps=60):
    x, y = build_problem()
    w = tf.Variable(tf.zeros([8, 1]))
    b = tf.Variable(tf.zeros([1]))
    apply, slow = lookahead([w, b])

    @tf.function
    def train_step(features, targets):
        with tf.GradientTape() as tape:
            residual = features @ w + b - targets
            loss = tf.reduce_mean(tf.square(residual))
        apply(tape.gradient(loss, [w, b]))
        return loss

    for i in range(steps):
        loss = train_step(x, y)
        if i % 20 == 19:
            print("step", i + 1, "loss", float(loss))
    print("norm of fast weights", float(tf.norm(w)))
    print("norm of slow weights", float(tf.norm(slow[0])))


if __name__ == "__main__":
    main()
