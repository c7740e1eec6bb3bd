import numpy as np
import tensorflow as tf

from deq import FixedPointLayer
from deq.train import Fit


def main():
    x = np.linspace(-1, 1, 48, dtype="float32")[:, None]
    y = np.sin(2 * x)
    layer = FixedPointLayer(1, 10)
    print("untrained error", float(tf.reduce_mean(tf.square(layer(tf.constant(x)) - y))))
    fit = Fit(layer)
    for _ in range(40):
        loss = fit.step(tf.constant(x), tf.constant(y))
    print("error", float(loss))


if __name__ == "__main__":
    main()
