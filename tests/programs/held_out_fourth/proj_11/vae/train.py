import keras
import numpy as np
import tensorflow as tf

from .anneal import ramp
from .model import Vae
from .params import HP


def main():
    keras.utils.set_random_seed(0)
    rng = np.random.default_rng(0)
    x = (rng.normal(size=(256, 2)) @ rng.normal(size=(2, 5))).astype("float32")
    ds = tf.data.Dataset.from_tensor_slices(x).batch(32)
    vae = Vae(x.shape[1])
    for epoch in range(HP.epochs):
        beta = ramp(epoch)
        for batch in ds:
            out = vae.update(batch)
        used = (out["loss"] - out["rec"]) / out["kl"]
        print("epoch %d beta %.2f rec %.3f kl %.3f (loss-rec)/kl %.2f" % (
            epoch, beta, float(out["rec"]), float(out["kl"]), float(used)))


if __name__ == "__main__":
    main()
