import keras
import numpy as np
import tensorflow as tf

from network import network
from objectives import OBJECTIVES
from settings import SETTINGS
from trainer import Trainer


def demand(n=256, seed=0):
    rng = np.random.default_rng(seed)
    x = rng.uniform(-1, 1, size=(n, 1))
    y = np.sin(3 * x) + rng.normal(size=(n, 1)) * (0.1 + 0.3 * np.abs(x))
    return x.astype("float32"), y.astype("float32")


def main():
    keras.utils.set_random_seed(0)
    ds = tf.data.Dataset.from_tensor_slices(demand()).batch(SETTINGS["batch"])
    trainer = Trainer(network(SETTINGS["hidden"]), OBJECTIVES[SETTINGS["loss"]], SETTINGS["lr"])
    for epoch, loss in trainer.epochs(ds, SETTINGS["epochs"]):
        print("epoch %d loss %.4f" % (epoch, loss))


if __name__ == "__main__":
    main()
