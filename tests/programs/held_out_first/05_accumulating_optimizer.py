"""Large effective batches on a small machine: sums the gradients of several micro-batches."""
import tensorflow as tf


class GradientBucket:
    """Holds summed gradients until they are handed to the optimizer."""

    def __init__(self, variables):
        self.variables = variables
        self.sums = []

    def open(self):
        self.sums = [tf.Variable(tf.zeros_like(v), trainable=False) for v in self.variables]

    def add(self, grads):
        for total, g in zip(self.sums, grads):
            total.assign_add(g)

    def mean(self, n):
        return [s / tf.cast(n, s.dtype) for s in self.sums]


class MicroBatchTrainer:
    def __init__(self, model, optimizer, loss_fn, micro_batches):
        self.model = model
        self.optimizer = optimizer
        self.loss_fn = loss_fn
        self.n = micro_batches
        self.bucket = GradientBucket(model.trainable_variables)

    @tf.function
    def step(self, x, y):
        self.bucket.open()
        total = 0.0
        for xs, ys in zip(tf.split(x, self.n), tf.split(y, self.n)):
            with tf.GradientTape() as tape:
                loss = self.loss_fn(ys, self.model(xs, training=True))
            self.bucket.add(tape.gradient(loss, self.model.trainable_variables))
            total += loss
        self.optimizer.apply_gradients(zip(self.bucket.mean(self.n), self.model.trainable_variables))
        return total / self.n


def make_model():
    model = tf.keras.Sequential([
        tf.keras.Input([5]),
        tf.keras.layers.Dense(16, activation="tanh"),
        tf.keras.layers.Dense(1),
    ])
    return model


def main():
    tf.keras.utils.set_random_seed(3)
    trainer = MicroBatchTrainer(make_model(), tf.keras.optimizers.SGD(0.05), tf.keras.losses.MeanSquaredError(), 4)
    x = tf.random.normal([64, 5])
    y = tf.reduce_sum(x, axis=1, keepdims=True)
    for _ in range(5):
        loss = trainer.step(x, y)
    print("loss", float(loss))


if __name__ == "__main__":
    main()
