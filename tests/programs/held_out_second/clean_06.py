"""Pyramid of features: a Python list is filled in a Python loop over layers."""
import tensorflow as tf


class Pyramid(tf.keras.Model):
    def __init__(self, widths=(4, 6, 8)):
        super().__init__()
        self.blocks = [tf.keras.layers.Conv2D(w, 3, strides=2, padding="same", activation="relu") for w in widths]
        self.heads = [tf.keras.layers.Conv2D(2, 1) for _ in widths]

    def call(self, x):
        maps = []
        for block in self.blocks:
            x = block(x)
            maps.append(x)
        outputs = []
        for head, m in zip(self.heads, reversed(maps)):
            outputs.append(tf.reshape(head(m), [tf.shape(m)[0], -1, 2]))
        return tf.concat(outputs, axis=1)


model = Pyramid()


@tf.function
def score(x):
    out = model(x, training=False)
    best = []
    for column in tf.unstack(out, axis=-1):
        best.append(tf.reduce_max(column, axis=1))
    return tf.stack(best, 1)


if __name__ == "__main__":
    for size in (16, 16, 16):
        print(score(tf.random.normal([2, size, size, 1])).shape)
