"""Regression baseline with warm-up + inverse square root learning rate.

Worked with TF 2.8; now on the new cluster image.
"""
import argparse
import csv
import io

import numpy as np
from tensorflow import keras


class WarmupInvSqrt(keras.optimizers.schedules.LearningRateSchedule):
    """lr rises linearly for `warmup` steps, then decays with 1/sqrt(step)."""

    def __init__(self, peak: float, warmup: int = 50, floor: float = 1e-5):
        self.peak = peak
        self.warmup = warmup
        self.floor = floor

    def __call__(self, step):
        step = keras.ops.cast(step, "float32") + 1.0
        rising = self.peak * step / self.warmup
        falling = self.peak * (self.warmup / step) ** 0.5
        lr = keras.ops.where(step < self.warmup, rising, falling)
        return keras.ops.maximum(lr, self.floor)

    def get_config(self):
        return {"peak": self.peak, "warmup": self.warmup, "floor": self.floor}


def preview(schedule, steps=(0, 10, 50, 100, 500)) -> str:
    """CSV with a few values, for the lab notebook."""
    buf = io.StringIO()
    writer = csv.writer(buf)
    writer.writerow(["step", "lr"])
    for s in steps:
        writer.writerow([s, f"{float(schedule(s)):.6f}"])
    return buf.getvalue()


def data(n=768, d=10, seed=0):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(n, d)).astype("float32")
    w = rng.normal(size=(d, 1)).astype("float32")
    y = np.tanh(x @ w) + 0.05 * rng.normal(size=(n, 1)).astype("float32")
    return x, y.astype("float32")


def network(d: int, width: int, depth: int) -> keras.Model:
    model = keras.Sequential([keras.Input((d,))])
    for _ in range(depth):
        model.add(keras.layers.Dense(width, activation="relu"))
        model.add(keras.layers.Dropout(0.05))
    model.add(keras.layers.Dense(1))
    return model


def main(argv=None):
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("--peak-lr", type=float, default=5e-3)
    p.add_argument("--warmup", type=int, default=30)
    p.add_argument("--epochs", type=int, default=5)
    p.add_argument("--clip", type=float, default=1.0)
    a = p.parse_args(argv)

    keras.utils.set_random_seed(17)
    schedule = WarmupInvSqrt(a.peak_lr, a.warmup)
    print(preview(schedule))

    x, y = data()
    model = network(x.shape[1], 32, 2)
    model.compile(
        optimizer=keras.optimizers.Adam(schedule, clipnorm=a.clip),
        loss="mse",
        metrics=[keras.metrics.RootMeanSquaredError(name="rmse")],
    )
    hist = model.fit(
        x[:640], y[:640], validation_data=(x[640:], y[640:]),
        batch_size=64, epochs=a.epochs, verbose=0,
        callbacks=[keras.callbacks.EarlyStopping("val_rmse", patience=3, mode="min", restore_best_weights=True)],
    )
    print("val rmse", [round(v, 4) for v in hist.history["val_rmse"]])


if __name__ == "__main__":
    main()
