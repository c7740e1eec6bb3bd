import numpy as np
import tensorflow as tf

from sky.augment import RandomBackground

layer = RandomBackground(0.5)
augment = tf.function(lambda images: layer(images, training=True))
dark = tf.zeros([6, 4, 4])
levels = np.concatenate([augment(dark).numpy()[:, 0, 0] for _ in range(3)])
print("patches", len(levels), "different levels", len(set(levels.tolist())))
