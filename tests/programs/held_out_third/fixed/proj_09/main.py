"""Train the forecaster and write TensorBoard logs."""
import argparse
import tempfile

import tensorflow as tf

from loop import Loop
from model import build_forecaster
from monitor import Monitor
from series import load_curve, windows


def main():
    ap = argparse.ArgumentParser(description=__doc__)
    ap.add_argument("--logdir", default=None)
    ap.add_argument("--epochs", type=int, default=2)
    ap.add_argument("--window", type=int, default=48)
    ap.add_argument("--horizon", type=int, default=6)
    a = ap.parse_args()
    tf.keras.utils.set_random_seed(0)
    logdir = a.logdir or tempfile.mkdtemp(prefix="forecast_")
    monitor = Monitor(logdir)
    loop = Loop(build_forecaster(a.window, a.horizon), monitor)
    loop.run(windows(load_curve(), a.window, a.horizon, batch=64), a.epochs)
    print("logs in", logdir)


if __name__ == "__main__":
    main()
