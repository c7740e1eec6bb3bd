import tensorflow as tf

MEAN = 0.45


def to_rgb(images):
    channels = images.shape[-1]
    if channels == 4:
        images = images[..., :3]
    elif channels == 1:
        images = tf.repeat(images, 3, axis=-1)
    return images


def standardise(images):
    return to_rgb(images) - MEAN
