"""Fine-tuning with gradual unfreezing (head first, then the encoder blocks)."""
import logging

import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers

log = logging.getLogger("finetune")
logging.basicConfig(level=logging.INFO, format="%(levelname).1s %(message)s")

WIDTH = 32


def encoder(seed: int = 0) -> keras.Model:
    """Stands for the pretrained encoder (weights come from the model zoo)."""
    keras.utils.set_random_seed(seed)
    inp = keras.Input((WIDTH,), name="features")
    h = inp
    for i in range(3):
        r = layers.Dense(WIDTH, activation="relu", name=f"block{i}_fc")(h)
        h = layers.LayerNormalization(name=f"block{i}_ln")(layers.Add(name=f"block{i}_add")([h, r]))
    return keras.Model(inp, h, name="encoder")


def classifier(enc: keras.Model, n_classes: int) -> keras.Model:
    enc.trainable = False
    inp = keras.Input((WIDTH,))
    out = layers.Dense(n_classes, name="head")(enc(inp))
    return keras.Model(inp, out, name="classifier")


class GradualUnfreezing(keras.callbacks.Callback):
    """Unfreeze one encoder block per epoch, from the top down.

    plan: {epoch: block index}
    """

    def __init__(self, plan):
        super().__init__()
        self.plan = dict(plan)

    def on_epoch_begin(self, epoch, logs=None):
        block = self.plan.get(epoch)
        if block is None:
            return
        enc = self.model.get_layer("encoder")
        for layer in enc.layers:
            if layer.name.startswith(f"block{block}"):
                layer.trainable = True
        n = sum(int(np.prod(w.shape)) for w in self.model.trainable_weights)
        log.info("epoch %d: block%d unfrozen, %d trainable parameters", epoch, block, n)


def make_data(n=512, n_classes=3, seed=4):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(n, WIDTH)).astype(np.float32)
    y = (np.abs(x[:, 0] * x[:, 1]) > 0.4).astype(int) + (x[:, 2] * x[:, 3] > 0.5).astype(int)
    return x, y.astype(np.int32)


def snapshot(model):
    return {w.path: w.numpy().copy() for w in model.get_layer("encoder").weights}


def drift(before, model):
    """How far did every encoder weight move?"""
    return {
        w.path: float(np.abs(w.numpy() - before[w.path]).max())
        for w in model.get_layer("encoder").weights if "fc" in w.path and "kernel" in w.path
    }


def main():
    x, y = make_data()
    enc = encoder()
    model = classifier(enc, 3)
    model.compile(
        optimizer=keras.optimizers.Adam(2e-3),
        loss=keras.losses.SparseCategoricalCrossentropy(from_logits=True),
        metrics=["accuracy"],
    )
    before = snapshot(model)
    callbacks = [GradualUnfreezing({3: 2, 6: 1})]
    hist = model.fit(x, y, epochs=10, batch_size=64, validation_split=0.25, verbose=0, callbacks=callbacks)
    for e in range(0, 10, 3):
        log.info("epoch %d  loss %.3f  val acc %.3f", e, hist.history["loss"][e], hist.history["val_accuracy"][e])
    for name, value in drift(before, model).items():
        log.info("moved %-28s %.5f", name, value)


if __name__ == "__main__":
    main()
