import numpy as np
import tensorflow as tf


def add_noise(image, amount):
    noise = np.random.normal(0.0, amount, (32, 32, 3))  # <- GD208
    return image + tf.cast(noise, image.dtype)
