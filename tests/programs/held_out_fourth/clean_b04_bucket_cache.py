"""Sentences of different lengths; one compiled step for each bucket of lengths."""
import keras
import numpy as np
import tensorflow as tf

BUCKETS = (8, 16, 32)


def bucket_of(length):
    return next(b for b in BUCKETS if length <= b)


class Trainer:
    def __init__(self, vocab=50, dim=8):
        self.embed = keras.layers.Embedding(vocab, dim, mask_zero=False)
        self.head = keras.layers.Dense(1)
        self.embed.build()
        self.head.build((None, dim))
        self.variables = self.embed.trainable_variables + self.head.trainable_variables
        self.opt = keras.optimizers.Adam(0.05)
        self.opt.build(self.variables)
        self._steps = {}

    def step_for(self, width):
        if width not in self._steps:
            spec = [tf.TensorSpec([None, width], tf.int32), tf.TensorSpec([None, 1], tf.float32)]

            @tf.function(input_signature=spec)
            def step(ids, y):
                print("tracing for width", width)
                mask = tf.cast(ids > 0, tf.float32)[..., None]
                with tf.GradientTape() as tape:
                    pooled = tf.reduce_sum(self.embed(ids) * mask, axis=1) / tf.reduce_sum(mask, axis=1)
                    loss = tf.reduce_mean(tf.nn.sigmoid_cross_entropy_with_logits(y, self.head(pooled)))
                self.opt.apply_gradients(zip(tape.gradient(loss, self.variables), self.variables))
                return loss

            self._steps[width] = step
        return self._steps[width]


def batches(count, seed=0):
    rng = np.random.default_rng(seed)
    for _ in range(count):
        length = int(rng.integers(3, 30))
        size = int(rng.integers(4, 9))
        ids = rng.integers(1, 50, size=(size, length))
        y = (ids.mean(axis=1, keepdims=True) > 25).astype("float32")
        yield np.pad(ids, [(0, 0), (0, bucket_of(length) - length)]).astype("int32"), y


def main():
    keras.utils.set_random_seed(0)
    trainer = Trainer()
    losses = []
    for ids, y in batches(60):
        step = trainer.step_for(ids.shape[1])
        losses.append(float(step(tf.constant(ids), tf.constant(y))))
    print("first %.3f last %.3f" % (np.mean(losses[:10]), np.mean(losses[-10:])))


if __name__ == "__main__":
    main()
