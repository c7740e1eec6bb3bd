"""Next-hour temperature forecast for a handful of stations."""
import logging

import tensorflow as tf

import runtime
import settings
from fitting import Fitter, build
from weather import dataset, synth


def main():
    logging.basicConfig(level=logging.INFO)
    cfg = settings.load()
    runtime.configure(cfg.runtime)
    tf.keras.utils.set_random_seed(cfg.data.seed)
    ds = dataset(synth(cfg.data), cfg.model.window, cfg.train.batch, cfg.data.seed)
    Fitter(build(cfg.model), cfg.train).fit(ds)


if __name__ == "__main__":
    main()
