"""Gradient accumulation with all state in variables."""
import contextlib
import time

import tensorflow as tf


@contextlib.contextmanager
def timed(label, book):
    begin = time.perf_counter()
    yield
    book[label] = book.get(label, 0.0) + time.perf_counter() - begin


class Accumulator(tf.Module):
    def __init__(self, variables, every):
        super().__init__()
        self.every = every
        self.count = tf.Variable(0, trainable=False)
        self.sums = [tf.Variable(tf.zeros_like(v), trainable=False) for v in variables]

    def add(self, grads):
        for total, g in zip(self.sums, grads):
            total.assign_add(g / self.every)
        self.count.assign_add(1)

    def ready(self):
        return tf.equal(self.count % self.every, 0)

    def clear(self):
        for total in self.sums:
            total.assign(tf.zeros_like(total))


class Trainer:
    def __init__(self, n, every):
        self.w = tf.Variable(tf.zeros([n, 1]))
        self.optimizer = tf.keras.optimizers.Adam(0.05)
        self.optimizer.build([self.w])
        self.accumulator = Accumulator([self.w], every)
        self.updates = tf.Variable(0, trainable=False)

    @tf.function
    def step(self, x, y):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(y - x @ self.w))
        self.accumulator.add(tape.gradient(loss, [self.w]))
        if self.accumulator.ready():
            self.optimizer.apply_gradients(zip([s.value() for s in self.accumulator.sums], [self.w]))
            self.accumulator.clear()
            self.updates.assign_add(1)
        return loss


def main():
    tf.random.set_seed(5)
    trainer, book, history = Trainer(3, 4), {}, []
    for i in range(24):
        x = tf.random.normal([16, 3])
        with timed("step", book):
            history.append(float(trainer.step(x, tf.reduce_sum(x, axis=1, keepdims=True))))
        if i % 8 == 7:
            print("after %d steps: loss %.3f" % (i + 1, sum(history[-8:]) / 8))
    print("updates", int(trainer.updates), "timed", sorted(book))


main()
