import numpy as np
import tensorflow as tf

from spikes import SpikeNet
from spikes.fit import make_step


def main():
    rng = np.random.default_rng(0)
    x = rng.uniform(size=(64, 6)).astype("float32")
    y = x.sum(1, keepdims=True) / 6
    step = make_step(SpikeNet(6, 12))
    for i in range(30):
        loss = step(tf.constant(x), tf.constant(y))
    print("loss", float(loss))


if __name__ == "__main__":
    main()
