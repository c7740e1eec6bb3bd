"""Train the router, check it, export it for serving."""
import argparse
import os
import tempfile

import tensorflow as tf

from network import build
from samples import corpus, vocabulary
from serving import TicketRouter, export
from vocab import LABELS, encode

MAX_LEN = 6


def train(texts, labels, words, epochs):
    model = build(len(words) + 2, MAX_LEN, len(LABELS))
    model.compile(
        optimizer=tf.keras.optimizers.Adam(2e-2),
        loss=tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True),
        metrics=["accuracy"],
    )
    ids = encode(tf.constant(texts), words, MAX_LEN)
    model.fit(ids.numpy(), tf.constant(labels).numpy(), epochs=epochs, batch_size=32, verbose=0)
    return model


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--out", default=None)
    ap.add_argument("--epochs", type=int, default=4)
    a = ap.parse_args()
    tf.keras.utils.set_random_seed(0)
    texts, labels = corpus(192)
    words = vocabulary(texts)
    router = TicketRouter(train(texts, labels, words, a.epochs), words, MAX_LEN)
    probe = tf.constant(["refund missing please", "slow wifi"])
    print("local   ", router.route(probe)["label"].numpy())
    path = export(router, a.out or os.path.join(tempfile.mkdtemp(), "router", "1"))
    served = tf.saved_model.load(path).signatures["serving_default"]
    print("exported", served(texts=probe)["label"].numpy())


if __name__ == "__main__":
    main()
