"""Serving wrapper that reports compilations: the message is meant to appear once per trace."""
import logging

import numpy as np
import tensorflow as tf

log = logging.getLogger("compile")
logging.basicConfig(level=logging.INFO, format="%(name)s: %(message)s")

compilations = []


def report_compilation(name, *specs):
    """Runs while tracing only."""
    shapes = [tuple(s.shape) for s in specs]
    compilations.append((name, shapes))
    log.info("compiling %s for %s", name, shapes)


class Endpoint(tf.Module):
    def __init__(self):
        super().__init__()
        self.w = tf.Variable(tf.ones([4, 2]) * 0.25)
        self.calls = tf.Variable(0, dtype=tf.int64, trainable=False)

    @tf.function(reduce_retracing=True)
    def score(self, x):
        report_compilation("score", x)
        self.calls.assign_add(1)
        return tf.nn.softmax(x @ self.w)


def main():
    ep = Endpoint()
    rng = np.random.default_rng(0)
    for n in (2, 2, 5, 6, 9, 2):
        ep.score(tf.constant(rng.normal(size=(n, 4)), tf.float32))
    print("requests", int(ep.calls), "compilations", len(compilations))


if __name__ == "__main__":
    main()
