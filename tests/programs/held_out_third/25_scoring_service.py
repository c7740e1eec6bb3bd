"""Tiny scoring service (transport layer removed).

Requests arrive as JSON strings; every request is validated, scored with the
churn model and answered with a JSON string again.
"""
import json
import logging
import statistics
import time
from typing import Any, Dict, List

import numpy as np
import tensorflow as tf

logging.basicConfig(level=logging.WARNING)
logger = logging.getLogger("scoring")

FEATURES = ["tenure", "monthly", "calls", "complaints", "discount"]


class Scaler:
    def __init__(self, mean, std):
        self.mean = tf.constant(mean, tf.float32)
        self.std = tf.constant(std, tf.float32)

    def __call__(self, x):
        return (x - self.mean) / self.std


class Scorer:
    """Wraps scaler + network + calibration behind one call."""

    def __init__(self, network: tf.keras.Model, scaler: Scaler, temperature: float = 1.3):
        self.network = network
        self.scaler = scaler
        self.temperature = temperature

    @tf.function(input_signature=[tf.TensorSpec([None, len(FEATURES)], tf.float32)])
    def score(self, x):
        logits = self.network(self.scaler(x), training=False)
        return tf.nn.sigmoid(logits / self.temperature)[:, 0]


class RequestHandler:
    """One handler object per request, like in the HTTP framework we use."""

    network: tf.keras.Model = None
    scaler: Scaler = None

    def __init__(self, body: str):
        self.body = body
        self.scorer = Scorer(self.network, self.scaler)

    def parse(self) -> np.ndarray:
        rows: List[Dict[str, Any]] = json.loads(self.body)["rows"]
        missing = [f for f in FEATURES for r in rows if f not in r]
        if missing:
            raise ValueError(f"missing fields {sorted(set(missing))}")
        return np.array([[r[f] for f in FEATURES] for r in rows], dtype=np.float32)

    def handle(self) -> str:
        try:
            x = self.parse()
        except ValueError as err:
            logger.warning("bad request: %s", err)
            return json.dumps({"error": str(err)})
        scores = self.scorer.score(tf.constant(x))
        return json.dumps({"scores": [round(float(s), 4) for s in scores]})


def load_network() -> tf.keras.Model:
    tf.keras.utils.set_random_seed(1)
    net = tf.keras.Sequential([
        tf.keras.Input((len(FEATURES),)),
        tf.keras.layers.Dense(32, activation="relu"),
        tf.keras.layers.Dense(16, activation="relu"),
        tf.keras.layers.Dense(1),
    ])
    # net.load_weights(os.environ["CHURN_WEIGHTS"])
    return net


def fake_traffic(n: int, seed: int = 0):
    rng = np.random.default_rng(seed)
    for _ in range(n):
        rows = [
            {f: float(v) for f, v in zip(FEATURES, rng.normal(size=len(FEATURES)))}
            for _ in range(int(rng.integers(1, 6)))
        ]
        yield json.dumps({"rows": rows})


def main() -> None:
    RequestHandler.network = load_network()
    RequestHandler.scaler = Scaler([24.0, 50.0, 2.0, 0.3, 0.1], [12.0, 20.0, 2.0, 0.6, 0.2])
    latencies = []
    for body in fake_traffic(60):
        begin = time.perf_counter()
        RequestHandler(body).handle()
        latencies.append(1000 * (time.perf_counter() - begin))
    print(f"p50 {statistics.median(latencies):.1f} ms   max {max(latencies):.1f} ms")


if __name__ == "__main__":
    main()
