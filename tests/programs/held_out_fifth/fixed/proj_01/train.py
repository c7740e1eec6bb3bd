import numpy as np
import tensorflow as tf

from ranker import Ranker
from ranker.schedule import default_schedule


def batches(n, batch=32, docs=8, feats=5):
    rng = np.random.default_rng(0)
    for _ in range(n):
        x = rng.normal(size=(batch, docs, feats)).astype("float32")
        y = np.eye(docs, dtype="float32")[x[..., 0].argmax(1)]
        yield tf.constant(x), tf.constant(y)


def main(steps=16):
    model, schedule = Ranker(5), default_schedule()
    for i, (docs, clicks) in enumerate(batches(steps)):
        loss = model.step(docs, clicks, schedule.hparams(i))
        if i % 4 == 3:
            print(i + 1, float(loss))


if __name__ == "__main__":
    main()
