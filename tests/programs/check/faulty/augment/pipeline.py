import functools

import tensorflow as tf

from .noise import add_noise

noisy = functools.partial(add_noise, amount=0.1)


def make_dataset(images, labels):
    data = tf.data.Dataset.from_tensor_slices((images, labels))
    data = data.map(lambda image, label: (noisy(image), label), num_parallel_calls=tf.data.AUTOTUNE)
    return data.batch(16).prefetch(1)
