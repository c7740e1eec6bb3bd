"""Data-parallel training with a throughput column computed in the step."""
import time

import numpy as np
import tensorflow as tf


class Meter(tf.Module):
    def __init__(self):
        super().__init__()
        self.started = tf.Variable(0.0, dtype=tf.float64, trainable=False)
        self.samples = tf.Variable(0.0, dtype=tf.float64, trainable=False)

    def reset(self):
        self.started.assign(time.time())
        self.samples.assign(0.0)

    def rate(self, batch_size):
        self.samples.assign_add(tf.cast(batch_size, tf.float64))
        elapsed = time.time() - self.started
        return self.samples / elapsed


strategy = tf.distribute.MirroredStrategy(["/cpu:0"])
with strategy.scope():
    model = tf.keras.Sequential([tf.keras.Input((10,)), tf.keras.layers.Dense(16, activation="relu"),
                                 tf.keras.layers.Dense(1)])
    optimizer = tf.keras.optimizers.SGD(0.05)
    optimizer.build(model.trainable_variables)
meter = Meter()


def replica_step(x, y):
    with tf.GradientTape() as tape:
        per_example = tf.square(model(x, training=True) - y)
        loss = tf.nn.compute_average_loss(per_example[:, 0], global_batch_size=16)
    grads = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))
    return loss


@tf.function
def distributed_step(x, y):
    losses = strategy.run(replica_step, args=(x, y))
    return strategy.reduce(tf.distribute.ReduceOp.SUM, losses, axis=None), meter.rate(tf.shape(x)[0])


def main():
    rng = np.random.default_rng(0)
    x = rng.normal(size=(160, 10)).astype("float32")
    y = x.mean(1, keepdims=True)
    ds = tf.data.Dataset.from_tensor_slices((x, y)).batch(16)
    rates = []
    for epoch in range(2):
        meter.reset()
        begin = time.time()
        for bx, by in ds:
            loss, rate = distributed_step(bx, by)
            time.sleep(0.02)
            rates.append(float(rate))
        print("epoch %d loss %.4f samples/s reported %.0f really %.0f"
              % (epoch, float(loss), rates[-1], 160 / (time.time() - begin)))


if __name__ == "__main__":
    main()
