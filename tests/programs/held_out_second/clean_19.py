"""Saved model round trip: concrete functions for two fixed sizes, made in a loop on purpose."""
import os
import tempfile

import tensorflow as tf


class Resizer(tf.Module):
    def __init__(self):
        super().__init__()
        self.gain = tf.Variable(1.5)

    @tf.function
    def resize(self, image, size):
        return self.gain * tf.image.resize(image, [size, size])


def export(module, path, sizes):
    spec = tf.TensorSpec([None, None, None, 1], tf.float32, name="image")
    signatures = {}
    for size in sizes:
        signatures["to_%d" % size] = module.resize.get_concrete_function(spec, size)
    tf.saved_model.save(module, path, signatures=signatures)


def main():
    path = os.path.join(tempfile.mkdtemp(), "resizer")
    export(Resizer(), path, (4, 8))
    loaded = tf.saved_model.load(path)
    for name, fn in sorted(loaded.signatures.items()):
        out = fn(image=tf.ones([1, 16, 12, 1]))
        print(name, next(iter(out.values())).shape)


if __name__ == "__main__":
    main()
