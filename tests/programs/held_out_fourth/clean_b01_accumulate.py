"""Large effective batches on a small device: gradients are summed over micro-batches."""
import keras
import numpy as np
import tensorflow as tf


class Accumulator:
    def __init__(self, model, optimizer, every):
        self.model = model
        self.optimizer = optimizer
        self.optimizer.build(model.trainable_variables)
        self.every = every
        self.count = tf.Variable(0, trainable=False)
        self.sums = [tf.Variable(tf.zeros(v.shape), trainable=False) for v in model.trainable_variables]

    def flush(self):
        self.optimizer.apply_gradients(
            [(s / float(self.every), v) for s, v in zip(self.sums, self.model.trainable_variables)])
        for s in self.sums:
            s.assign(tf.zeros_like(s))
        self.count.assign(0)

    @tf.function
    def micro_step(self, x, y):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(self.model(x, training=True) - y))
        grads = tape.gradient(loss, self.model.trainable_variables)
        for s, g in zip(self.sums, grads):
            s.assign_add(g)
        self.count.assign_add(1)
        if self.count >= self.every:
            self.flush()
        return loss


def main():
    keras.utils.set_random_seed(0)
    rng = np.random.default_rng(0)
    x = rng.normal(size=(128, 3)).astype("float32")
    y = x @ np.array([[1.0], [2.0], [-1.0]], "float32")
    model = keras.Sequential([keras.Input((3,)), keras.layers.Dense(1)])
    acc = Accumulator(model, keras.optimizers.SGD(0.2), every=4)
    ds = tf.data.Dataset.from_tensor_slices((x, y)).batch(8)
    for epoch in range(4):
        losses = [float(acc.micro_step(bx, by)) for bx, by in ds]
        print("epoch", epoch, "loss %.4f" % np.mean(losses), "updates", int(acc.optimizer.iterations))


if __name__ == "__main__":
    main()
