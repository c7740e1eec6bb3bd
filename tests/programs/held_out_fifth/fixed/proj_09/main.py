import numpy as np
import tensorflow as tf

from setnet import SetNet
from setnet.report import describe


def main():
    rng = np.random.default_rng(2)
    sets = tf.constant(rng.normal(size=(40, 6, 3)), tf.float32)
    y = tf.reduce_max(sets[..., 0], axis=1)
    model = SetNet(3)
    for _ in range(30):
        loss = model.fit_step(sets, y)
    print("loss", float(loss))
    print(describe(model, sets))


if __name__ == "__main__":
    main()
