"""Curriculum training for the noisy regression benchmark.

Difficulty (noise level) rises a bit each epoch, and the learning rate is
annealed along with it.  One-cycle schedules did not help here.
"""
import json
import math
import pathlib

import keras
import numpy as np

CFG = {
    "epochs": 8,
    "lr_max": 4e-3,
    "lr_min": 2e-4,
    "noise": (0.0, 0.8),
    "batch_size": 64,
    "patience": 5,
    "report": None,          # path of a json file, or None
}


def lr_at(epoch: int) -> float:
    frac = epoch / max(1, CFG["epochs"] - 1)
    cos = 0.5 * (1 + math.cos(math.pi * frac))
    return CFG["lr_min"] + (CFG["lr_max"] - CFG["lr_min"]) * cos


def noise_at(epoch: int) -> float:
    lo, hi = CFG["noise"]
    return lo + (hi - lo) * epoch / max(1, CFG["epochs"] - 1)


def sample(n: int, noise: float, rng: np.random.Generator):
    x = rng.uniform(-2, 2, size=(n, 6))
    y = np.sin(2 * x[:, :1]) * x[:, 1:2] + 0.5 * x[:, 2:3] ** 2
    return x.astype("float32"), (y + noise * rng.normal(size=y.shape)).astype("float32")


def build_model() -> keras.Model:
    inputs = keras.Input((6,))
    h = inputs
    for width in (64, 32):
        h = keras.layers.Dense(width, activation="swish")(h)
    return keras.Model(inputs, keras.layers.Dense(1)(h), name="curriculum_mlp")


def prepare(model: keras.Model, lr: float) -> None:
    """Everything that has to be in place before an epoch."""
    optimizer = getattr(model, "optimizer", None) or keras.optimizers.Adam()
    optimizer.learning_rate = lr
    model.compile(optimizer=optimizer, loss=keras.losses.Huber(delta=1.0), metrics=["mae"])


def main() -> None:
    keras.utils.set_random_seed(21)
    rng = np.random.default_rng(21)
    model = build_model()
    x_val, y_val = sample(512, 0.0, rng)
    best, wait, rows = math.inf, 0, []
    for epoch in range(CFG["epochs"]):
        prepare(model, lr_at(epoch))
        x, y = sample(1024, noise_at(epoch), rng)
        hist = model.fit(
            x, y, batch_size=CFG["batch_size"], epochs=1, verbose=0,
            validation_data=(x_val, y_val), validation_batch_size=128,
        )
        val = hist.history["val_loss"][0]
        rows.append({"epoch": epoch, "lr": lr_at(epoch), "val": val})
        print(f"{epoch:3d}  lr {lr_at(epoch):.5f}  noise {noise_at(epoch):.2f}  val {val:.4f}")
        if val < best - 1e-4:
            best, wait = val, 0
        else:
            wait += 1
            if wait > CFG["patience"]:
                print("early stop")
                break
    if CFG["report"]:
        pathlib.Path(CFG["report"]).write_text(json.dumps(rows, indent=2))


if __name__ == "__main__":
    main()
