"""5-fold cross-validation of the yield model (custom loop, no model.fit)."""
from __future__ import annotations

import logging
from typing import Iterator

import numpy as np
import tensorflow as tf

logger = logging.getLogger("cv")
logging.basicConfig(level=logging.INFO, format="%(name)s %(message)s")

LOSS = tf.keras.losses.MeanSquaredError()


def load_table(n: int = 400, seed: int = 13) -> tuple[np.ndarray, np.ndarray]:
    """Stand-in for the CSV of the agronomy group."""
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(n, 9)).astype(np.float32)
    y = (1.5 * x[:, 0] - x[:, 3] * x[:, 4] + 0.3 * rng.normal(size=n)).astype(np.float32)
    return x, y[:, None]


def kfold(n: int, k: int, seed: int) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    order = np.random.default_rng(seed).permutation(n)
    parts = np.array_split(order, k)
    for i in range(k):
        train = np.concatenate([p for j, p in enumerate(parts) if j != i])
        yield train, parts[i]


def new_model(width: int = 32, l2: float = 1e-4) -> tf.keras.Model:
    reg = tf.keras.regularizers.L2(l2)
    return tf.keras.Sequential([
        tf.keras.Input((9,)),
        tf.keras.layers.Dense(width, activation="relu", kernel_regularizer=reg),
        tf.keras.layers.Dense(width, activation="relu", kernel_regularizer=reg),
        tf.keras.layers.Dense(1),
    ])


def make_train_step(model, optimizer):
    """One graph per fold: every fold has its own model and optimizer variables."""

    @tf.function
    def train_step(x, y):
        with tf.GradientTape() as tape:
            loss = LOSS(y, model(x, training=True)) + tf.add_n(model.losses)
        grads = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(grads, model.trainable_variables))
        return loss

    return train_step


def rmse(model: tf.keras.Model, x: np.ndarray, y: np.ndarray) -> float:
    pred = model(tf.constant(x), training=False)
    return float(tf.sqrt(tf.reduce_mean(tf.square(pred - y))))


def run_fold(x, y, train_idx, test_idx, epochs: int = 4, batch: int = 32) -> float:
    model = new_model()
    train_step = make_train_step(model, tf.keras.optimizers.Adam(3e-3))
    ds = (
        tf.data.Dataset.from_tensor_slices((x[train_idx], y[train_idx]))
        .shuffle(len(train_idx), seed=0)
        .batch(batch, drop_remainder=True)
    )
    best = float("inf")
    for _ in range(epochs):
        for xb, yb in ds:
            train_step(xb, yb)
        best = min(best, rmse(model, x[test_idx], y[test_idx]))
    return best


def main() -> None:
    tf.keras.utils.set_random_seed(0)
    x, y = load_table()
    scores = []
    for fold, (tr, te) in enumerate(kfold(len(x), k=5, seed=1)):
        score = run_fold(x, y, tr, te)
        logger.info("fold %d rmse %.4f", fold, score)
        scores.append(score)
    logger.info("mean %.4f +- %.4f", np.mean(scores), np.std(scores))


if __name__ == "__main__":
    main()
