"""Random changes of one image; every function takes and returns a float image."""
import numpy as np
import tensorflow as tf


def brightness(image, amount=0.4):
    delta = np.random.uniform(-amount, amount)
    return tf.clip_by_value(image + delta, 0.0, 1.0)


def flip(image):
    return tf.image.random_flip_left_right(image)


def crop(image, margin=2):
    shape = image.shape
    padded = tf.pad(image, [[margin, margin], [margin, margin], [0, 0]])
    return tf.image.random_crop(padded, shape)


class Compose:
    def __init__(self, *ops):
        self.ops = ops

    def __call__(self, image):
        for op in self.ops:
            image = op(image)
        return image
