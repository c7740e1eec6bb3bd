"""A module that is saved with its signature, loaded and called."""

import tempfile

import tensorflow as tf


class Twice(tf.Module):
    @tf.function(input_signature=[tf.TensorSpec([None], tf.float32)])
    def __call__(self, x):
        return x * 2.0


with tempfile.TemporaryDirectory() as folder:
    tf.saved_model.save(Twice(), folder)
    print(tf.saved_model.load(folder)(tf.ones([2])).numpy())
