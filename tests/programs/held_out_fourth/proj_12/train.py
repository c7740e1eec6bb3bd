import numpy as np
import tensorflow as tf

from engine import Engine
from model import Logistic
from report import summarise
from tracker import Tracker


def main():
    rng = np.random.default_rng(0)
    x = rng.normal(size=(128, 3)).astype("float32")
    y = (x[:, :1] - x[:, 1:2] > 0).astype("float32")
    ds = tf.data.Dataset.from_tensor_slices((x, y)).batch(32)
    engine = Engine(Logistic(3), Tracker())
    for epoch in range(4):
        print("epoch", epoch, summarise(engine.epoch(ds)))


if __name__ == "__main__":
    main()
