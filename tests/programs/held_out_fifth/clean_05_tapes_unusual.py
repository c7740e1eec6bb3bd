"""Several uncommon but correct uses of GradientTape."""
import numpy as np
import tensorflow as tf


def value_grad_hess(f, x):
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = f(x)
        g = inner.gradient(y, x)
    return y, g, outer.jacobian(g, x)


@tf.function
def two_losses(model_w, head_a, head_b, x, ya, yb):
    with tf.GradientTape(persistent=True) as tape:
        h = tf.tanh(x @ model_w)
        la = tf.reduce_mean(tf.square(h @ head_a - ya))
        lb = tf.reduce_mean(tf.abs(h @ head_b - yb))
    ga = tape.gradient(la, [model_w, head_a])
    gb = tape.gradient(lb, [model_w, head_b])
    del tape
    model_w.assign_sub(0.1 * (ga[0] + gb[0]))
    head_a.assign_sub(0.1 * ga[1])
    head_b.assign_sub(0.1 * gb[1])
    return la, lb


def gradient_penalty(critic, real, fake):
    mix = 0.5 * (real + fake)
    with tf.GradientTape() as tape:
        tape.watch(mix)
        score = critic(mix)
    return tf.reduce_mean(tf.square(tf.norm(tape.gradient(score, mix), axis=1) - 1.0))


def main():
    x = tf.constant([1.0, 2.0])
    y, g, h = value_grad_hess(lambda t: tf.reduce_sum(t**3), x)
    print(float(y), g.numpy(), np.diag(h.numpy()))

    rng = np.random.default_rng(0)
    w, a, b = (tf.Variable(rng.normal(size=s), dtype=tf.float32) for s in ((3, 4), (4, 1), (4, 1)))
    data = tf.constant(rng.normal(size=(16, 3)), tf.float32)
    for _ in range(5):
        la, lb = two_losses(w, a, b, data, data[:, :1], data[:, 1:2])
    print(float(la), float(lb))

    c = tf.Variable(tf.ones([3, 1]))
    with tf.GradientTape() as tape:
        gp = gradient_penalty(lambda t: t @ c, data, -data + 1.0)
    print("penalty", float(gp), tape.gradient(gp, c).numpy().ravel())

    unused = tf.Variable(1.0)
    with tf.GradientTape(watch_accessed_variables=False) as tape:
        tape.watch(c)
        out = tf.reduce_sum(data @ c)
    print(tape.gradient(out, [c, unused], unconnected_gradients=tf.UnconnectedGradients.ZERO)[1].numpy())


if __name__ == "__main__":
    main()
