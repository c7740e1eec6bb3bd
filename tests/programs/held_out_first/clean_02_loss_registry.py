"""Losses by name; the choice is made once, before anything is traced."""
import argparse
import functools

import tensorflow as tf

LOSSES = {}


def loss(name):
    def wrap(fn):
        LOSSES[name] = fn
        return fn
    return wrap


@loss("huber")
def huber(error, delta):
    small = tf.abs(error) <= delta
    return tf.where(small, 0.5 * tf.square(error), delta * (tf.abs(error) - 0.5 * delta))


@loss("square")
def square(error):
    return tf.square(error)


def choose(name, delta):
    match name:
        case "huber":
            return functools.partial(LOSSES[name], delta=delta)
        case "square":
            return LOSSES[name]
        case _:
            raise ValueError(f"unknown loss {name}")


def make_step(model, optimizer, loss_fn):
    optimizer.build(model.trainable_variables)

    @tf.function
    def step(x, y):
        with tf.GradientTape() as tape:
            value = tf.reduce_mean(loss_fn(y - model(x, training=True)))
        grads = tape.gradient(value, model.trainable_variables)
        norm = tf.linalg.global_norm(grads)
        if norm > 1.0:
            grads = [g / norm for g in grads]
        optimizer.apply_gradients(zip(grads, model.trainable_variables))
        return value

    return step


def main(argv=None):
    parser = argparse.ArgumentParser()
    parser.add_argument("--loss", default="huber", choices=sorted(LOSSES))
    parser.add_argument("--delta", type=float, default=1.0)
    args = parser.parse_args(argv)
    tf.keras.utils.set_random_seed(2)
    model = tf.keras.Sequential([tf.keras.Input([3]), tf.keras.layers.Dense(1)])
    step = make_step(model, tf.keras.optimizers.SGD(0.1), choose(args.loss, args.delta))
    x = tf.random.normal([64, 3])
    y = 2.0 * x[:, :1]
    values = [float(step(x, y)) for _ in range(10)]
    print("%s %.3f -> %.3f" % (args.loss, values[0], values[-1]))


if __name__ == "__main__":
    main()
