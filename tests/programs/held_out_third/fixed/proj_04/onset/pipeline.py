import functools

import tensorflow as tf

from .features import example
from .synth import recordings


def dataset(audio, train, count, seed):
    ds = tf.data.Dataset.from_generator(
        functools.partial(recordings, audio, count, seed),
        output_signature=(tf.TensorSpec([None], tf.float32), tf.TensorSpec([None], tf.int32)),
    )
    ds = ds.map(functools.partial(example, audio=audio))
    return ds.padded_batch(
        train.batch, padded_shapes=([None, audio.bands], [None]), drop_remainder=True)
