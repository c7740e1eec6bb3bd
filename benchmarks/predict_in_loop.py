"""What one sample costs: `predict`, `predict_on_batch`, the model called, and the model in a graph function.

The variants take turns in one process; a figure is the median over all rounds, in processor time, and its
ratio to that of `predict_on_batch`.
"""

import os

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

import statistics
import time

import numpy as np
import tensorflow as tf

ROUNDS, CALLS = 9, 20


def main() -> None:
    """Measure, and print a table."""
    layers = [tf.keras.Input((8,)), tf.keras.layers.Dense(32, "relu"), tf.keras.layers.Dense(2)]
    model = tf.keras.Sequential(layers)
    graph, sample = tf.function(model), np.ones((1, 8), "float32")
    variants = {
        "model.predict(x)": lambda: model.predict(sample, verbose=0),
        "model.predict_on_batch(x)": lambda: model.predict_on_batch(sample),
        "model(x)": lambda: model(sample, training=False).numpy(),
        "tf.function(model)(x)": lambda: graph(sample).numpy(),
    }
    taken: dict[str, list[float]] = {name: [] for name in variants}
    for number in range(ROUNDS + 1):
        for name, call in variants.items():
            begun = time.process_time()
            for _ in range(CALLS):
                call()
            if number:  # the first round traces
                taken[name].append((time.process_time() - begun) / CALLS)
    medians = {name: statistics.median(times) for name, times in taken.items()}
    least = medians["model.predict_on_batch(x)"]
    for name, median in medians.items():
        print(f"{name:28} {1000 * median:8.2f} ms   {median / least:6.1f} x")


if __name__ == "__main__":
    main()
