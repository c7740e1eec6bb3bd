import numpy as np
import tensorflow as tf

import model
from config import Config
from engine import Engine


def data(cfg, n=120, seed=0):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, cfg.classes, n).astype("int32")
    x = (rng.normal(0, 2, (cfg.classes, cfg.features))[y] + rng.normal(size=(n, cfg.features))).astype("float32")
    return tf.data.Dataset.from_tensor_slices((x, y)).batch(30)


def main():
    tf.keras.utils.set_random_seed(0)
    cfg = Config()
    engine = Engine(model.build(cfg), cfg)
    for _ in range(cfg.epochs):
        for x, y in data(cfg):
            loss = engine.train_batch(x, y)
    print("loss %.4f" % float(loss))


if __name__ == "__main__":
    main()
