import time

import keras

from tagger.config import Config
from tagger.data import Corpus
from tagger.engine import Engine
from tagger.model import build_model


def main(cfg=Config()):
    keras.utils.set_random_seed(cfg.seed)
    corpus = Corpus(cfg)
    engine = Engine(build_model(cfg), cfg.lr)
    for epoch in range(cfg.epochs):
        begin = time.perf_counter()
        losses = [float(engine.step(*batch)) for batch in corpus]
        print(f"epoch {epoch} loss {sum(losses) / len(losses):.4f} "
              f"time {time.perf_counter() - begin:.2f}s")


if __name__ == "__main__":
    main()
