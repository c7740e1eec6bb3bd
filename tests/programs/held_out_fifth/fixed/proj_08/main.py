import numpy as np
import tensorflow as tf

from ensemble.members import build
from ensemble.training import fit_member, spread


def main():
    rng = np.random.default_rng(0)
    x = rng.uniform(-2, 2, size=(80, 1)).astype("float32")
    y = (np.sin(2 * x) + 0.1 * rng.normal(size=x.shape)).astype("float32")
    members = build()
    for i, m in enumerate(members):
        print("member", i, "nll", fit_member(m, tf.constant(x), tf.constant(y)))
    print("mean spread", float(tf.reduce_mean(spread(members, tf.constant(x)))))


if __name__ == "__main__":
    main()
