"""Bank of augmentations for contrastive views of small images."""
import functools

import numpy as np
import tensorflow as tf


def shift_brightness(image, limit):
    return tf.clip_by_value(image + tf.random.uniform([], -limit, limit), 0.0, 1.0)


def crop_back(image, size):
    side = image.shape[0]
    patch = tf.image.random_crop(image, [size, size, image.shape[-1]])
    return tf.image.resize(patch, [side, side])


def mirror(image):
    return tf.image.random_flip_left_right(image)


BANK = {
    "brightness": functools.partial(shift_brightness, limit=0.4),
    "crop": functools.partial(crop_back, size=6),
    "mirror": mirror,
}


def compose(names):
    steps = [BANK[name] for name in names]

    def view(image):
        for step in steps:
            image = step(image)
        return image

    return view


def two_views(images, names, batch=20):
    view = compose(names)
    ds = tf.data.Dataset.from_tensor_slices(images)
    ds = ds.map(lambda im: (view(im), view(im)), num_parallel_calls=2)
    return ds.batch(batch)


def spread(ds):
    means = np.concatenate([tf.reduce_mean(a, [1, 2, 3]).numpy() for a, _ in ds])
    return means.std()


if __name__ == "__main__":
    np.random.seed(0)
    tf.random.set_seed(0)
    grey = np.full((60, 8, 8, 3), 0.5, "float32")
    for names in (["mirror"], ["crop", "mirror"], ["brightness", "crop", "mirror"]):
        print(names, f"spread of the mean over images: {spread(two_views(grey, names)):.4f}")
