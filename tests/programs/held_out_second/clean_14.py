"""Static shape arithmetic with NumPy while tracing, and asserts about static shapes."""
import numpy as np
import tensorflow as tf


@tf.function
def patches(images, size):
    batch, height, width, channels = images.shape
    assert height % size == 0 and width % size == 0, "patch size must divide the image"
    rows, cols = np.array([height, width]) // size
    count = int(np.prod([rows, cols]))
    x = tf.reshape(images, [batch, rows, size, cols, size, channels])
    return tf.reshape(tf.transpose(x, [0, 1, 3, 2, 4, 5]), [batch, count, size * size * channels])


class Embed(tf.Module):
    def __init__(self, size, dim):
        super().__init__()
        self.size = size
        self.w = tf.Variable(tf.random.stateless_normal([size * size * 3, dim], [1, 1]))

    def __call__(self, images):
        return patches(images, self.size) @ self.w


if __name__ == "__main__":
    embed = Embed(4, 5)
    for seed in range(3):
        out = embed(tf.random.stateless_normal([2, 16, 8, 3], [seed, 0]))
    print(out.shape)
