"""Derivatives of several kinds: penalties, second order, hand-written."""
import tensorflow as tf


@tf.custom_gradient
def straight_round(x):
    def backward(upstream):
        return tf.clip_by_value(upstream, -1.0, 1.0)

    return tf.round(x), backward


class Critic(tf.Module):
    def __init__(self, n):
        super().__init__()
        self.w = tf.Variable(tf.random.normal([n, 4], stddev=0.4))
        self.v = tf.Variable(tf.random.normal([4, 1], stddev=0.4))
        self.unused = tf.Variable(1.0)

    def __call__(self, x):
        return tf.tanh(straight_round(2.0 * x) @ self.w) @ self.v


def slope_penalty(critic, x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        score = critic(x)
    return tf.reduce_mean(tf.square(tf.norm(tape.gradient(score, x) + 1e-6, axis=1) - 1.0))


@tf.function
def step(critic, x, rate):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(critic(x)) + 0.1 * slope_penalty(critic, x)
    variables = critic.trainable_variables
    for v, g in zip(variables, tape.gradient(loss, variables)):
        if g is not None:
            v.assign_sub(rate * g)
    return loss


@tf.function
def curvature(x):
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = tf.reduce_sum(x ** 3)
        first = inner.gradient(y, x)
    return first, outer.gradient(first, x)


def sensitivities(x):
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        parts = {"low": tf.reduce_sum(x[:2] ** 2), "high": tf.reduce_sum(tf.exp(x[2:]))}
    grads = {name: tape.gradient(value, x, unconnected_gradients=tf.UnconnectedGradients.ZERO)
             for name, value in parts.items()}
    del tape
    return grads


if __name__ == "__main__":
    tf.random.set_seed(4)
    critic = Critic(3)
    rate = tf.constant(0.05)
    for _ in range(5):
        loss = step(critic, tf.random.normal([16, 3]), rate)
    print("loss %.4f" % float(loss))
    print([v.numpy().tolist() for v in curvature(tf.constant([1.0, 2.0]))])
    print({k: v.numpy().round(2).tolist() for k, v in sensitivities(tf.constant([1.0, 2.0, 0.0])).items()})
