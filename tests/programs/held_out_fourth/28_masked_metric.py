"""Rating prediction where unknown ratings are written as -1."""
import keras
import numpy as np
from keras import ops

UNKNOWN = -1.0


class Rmse(keras.metrics.Mean):
    def __init__(self, name="rmse", **kwargs):
        super().__init__(name=name, **kwargs)

    def errors(self, y_true, y_pred):
        return ops.square(y_true - y_pred)

    def update_state(self, y_true, y_pred, sample_weight=None):
        return super().update_state(self.errors(y_true, y_pred), sample_weight=sample_weight)

    def result(self):
        return ops.sqrt(super().result())


class KnownRmse(Rmse):
    """RMSE over the ratings that exist."""

    def update_state(self, y_true, y_pred, sample_weight=None):
        known = ops.cast(ops.not_equal(y_true, UNKNOWN), "float32")
        if ops.sum(known) > 0:
            super().update_state(y_true, y_pred, sample_weight=known)


def known_mse(y_true, y_pred):
    known = ops.cast(ops.not_equal(y_true, UNKNOWN), y_pred.dtype)
    return ops.sum(known * ops.square(y_true - y_pred)) / ops.maximum(ops.sum(known), 1.0)


def make_ratings(users=40, items=12, seed=0):
    rng = np.random.default_rng(seed)
    full = rng.normal(size=(users, 3)) @ rng.normal(size=(3, items)) + 3.0
    full = np.clip(full, 0.0, 5.0).astype("float32")
    hidden = rng.random(full.shape) < 0.5
    full[hidden] = UNKNOWN
    return full


def build(items):
    inp = keras.Input((items,))
    h = keras.layers.Dense(8, activation="tanh")(inp)
    return keras.Model(inp, keras.layers.Dense(items)(h))


def main():
    keras.utils.set_random_seed(0)
    ratings = make_ratings()
    model = build(ratings.shape[1])
    model.compile(keras.optimizers.Adam(0.02), loss=known_mse, metrics=[KnownRmse()])
    hist = model.fit(np.maximum(ratings, 0.0), ratings, batch_size=10, epochs=4, verbose=0)
    for epoch, (loss, rmse) in enumerate(zip(hist.history["loss"], hist.history["rmse"])):
        print("epoch %d loss %.3f rmse %.3f" % (epoch, loss, rmse))


if __name__ == "__main__":
    main()
