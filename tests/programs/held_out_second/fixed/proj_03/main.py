import numpy as np
import tensorflow as tf

from matcher import Matcher
from training import Trainer


def main():
    rng = np.random.default_rng(0)
    a = rng.normal(size=(20, 3)).astype("float32")
    b = a[rng.permutation(20)] @ np.diag([1.0, 0.5, 2.0]).astype("float32")
    trainer = Trainer(Matcher(3))
    for i in range(15):
        loss = trainer.step(tf.constant(a), tf.constant(b))
    print("loss %.4f" % float(loss))


if __name__ == "__main__":
    main()
