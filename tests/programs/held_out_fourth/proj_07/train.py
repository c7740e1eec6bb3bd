import keras

from config import Config
from data import views
from learner import Learner
from schedule import Cosine


def main():
    cfg = Config()
    keras.utils.set_random_seed(0)
    ds = views(cfg)
    learner = Learner(cfg)
    heat = Cosine(cfg.hot, cfg.cold, total=cfg.epochs * int(ds.cardinality()))
    for epoch in range(cfg.epochs):
        total, n = 0.0, 0
        for a, b in ds:
            total += float(learner.step(a, b, heat.next()))
            n += 1
        print("epoch %d loss %.4f" % (epoch, total / n))


if __name__ == "__main__":
    main()
