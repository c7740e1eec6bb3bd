import tensorflow as tf

import data
import nets
import settings
from distill import Distiller


def main():
    tf.keras.utils.set_random_seed(0)
    distiller = Distiller(nets.teacher(), nets.student())
    ds = data.load()
    for epoch in range(settings.EPOCHS):
        for x, y in ds:
            loss, soft = distiller.step(x, y)
        print("T %.1f loss %.4f soft %.4f" % (float(settings.TEMPERATURE), float(loss), float(soft)))
        settings.TEMPERATURE.assign(max(1.0, float(settings.TEMPERATURE) / 2))


if __name__ == "__main__":
    main()
