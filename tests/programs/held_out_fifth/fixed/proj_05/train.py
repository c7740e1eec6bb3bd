import keras
import numpy as np
import tensorflow as tf

from generator import build_generator
from perceptual import FeatureLoss


def blurred(n=16, size=16):
    rng = np.random.default_rng(3)
    sharp = rng.uniform(size=(n, size, size, 1)).astype("float32")
    blur = 0.5 * sharp + 0.25 * np.roll(sharp, 1, 1) + 0.25 * np.roll(sharp, 1, 2)
    return tf.constant(blur), tf.constant(sharp)


def main(steps=8):
    blur, sharp = blurred()
    net, loss_fn = build_generator(), FeatureLoss()
    opt = keras.optimizers.Adam(1e-3)
    for i in range(steps):
        with tf.GradientTape() as tape:
            loss = loss_fn(sharp, net(blur, training=True))
        grads = tape.gradient(loss, net.trainable_variables)
        opt.apply_gradients(zip(grads, net.trainable_variables))
        print(i, float(loss))


if __name__ == "__main__":
    main()
