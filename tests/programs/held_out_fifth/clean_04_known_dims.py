"""Window features where only the batch axis is open; all other sizes are static."""
import numpy as np
import tensorflow as tf

WINDOW, CHANNELS = 20, 3
SPEC = tf.TensorSpec([None, WINDOW, CHANNELS], tf.float32)


def patches(x, size=5):
    _, length, channels = x.shape
    count = length // size
    return tf.reshape(x, [-1, count, size * channels])


def positional(length, dim):
    pos = np.arange(length)[:, None] / np.power(100.0, np.arange(dim)[None, :] / dim)
    return tf.constant(np.sin(pos), tf.float32)


class Mixer(tf.Module):
    def __init__(self, size=5):
        super().__init__()
        self.size = size
        dim = size * CHANNELS
        self.w = tf.Variable(tf.random.stateless_normal([dim, dim], [1, 2]) / np.sqrt(dim))

    @tf.function(input_signature=[SPEC])
    def __call__(self, x):
        p = patches(x, self.size)
        n, dim = p.shape[1], p.shape[2]
        p = p + positional(n, dim)
        mixed = p @ self.w
        flat = tf.reshape(mixed, [tf.shape(x)[0], int(np.prod(mixed.shape[1:]))])
        norm = 1.0 / float(flat.shape[-1])
        if x.shape[0] is None:
            batch = tf.shape(x)[0]
        else:
            batch = x.shape[0]
        return norm * tf.reduce_sum(flat, axis=1), batch


def main():
    mixer = Mixer()
    rng = np.random.default_rng(3)
    for n in (4, 7, 1):
        score, batch = mixer(tf.constant(rng.normal(size=(n, WINDOW, CHANNELS)), tf.float32))
        print(int(batch), np.round(score.numpy(), 3))


if __name__ == "__main__":
    main()
