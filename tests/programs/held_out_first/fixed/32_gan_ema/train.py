import itertools

import tensorflow as tf

import data
import networks
from config import SETTINGS
from gan import GAN


def sample(generator, n, noise):
    return generator(tf.random.normal([n, noise]), training=False)


def main():
    tf.keras.utils.set_random_seed(2)
    gan = GAN(SETTINGS)
    for real in itertools.islice(data.ring(SETTINGS["batch"]), SETTINGS["steps"]):
        d_loss, g_loss = gan.step(real)
    print("losses %.3f %.3f" % (float(d_loss), float(g_loss)))
    smooth = networks.generator(SETTINGS)
    gan.average.copy_to(smooth)
    points = sample(smooth, 100, SETTINGS["noise"])
    print("mean radius %.3f" % float(tf.reduce_mean(tf.norm(points, axis=1))))


if __name__ == "__main__":
    main()
