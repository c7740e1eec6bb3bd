"""Train the tagger: python main.py [key=value ...]"""
import sys

import keras

from corpus import batches
from engine import Engine
from settings import parse_overrides
from tagger import build_tagger


def main(argv):
    cfg = parse_overrides(argv)
    keras.utils.set_random_seed(cfg["seed"])
    engine = Engine(build_tagger(cfg), cfg)
    engine.run(batches(cfg, 96, 0, shuffle=True), batches(cfg, 32, 1, shuffle=False))
    # engine.model.save("tagger.keras")


if __name__ == "__main__":
    main(sys.argv[1:])
