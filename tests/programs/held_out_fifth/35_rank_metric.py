"""Two-tower recommender trained with fit(); monitors the mean reciprocal rank."""
import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers as L


def ranks_of_true(scores, labels):
    order = np.argsort(-scores, axis=1)
    return np.argmax(order == labels[:, None], axis=1) + 1


def mrr(y_true, y_pred):
    ranks = ranks_of_true(y_pred, y_true)
    return tf.reduce_mean(1.0 / tf.cast(ranks, tf.float32))


def towers(users, items, dim=8):
    uid = keras.Input((), dtype="int32", name="user")
    u = L.Embedding(users, dim)(uid)
    u = L.Dense(dim, activation="relu")(u)
    return keras.Model(uid, L.Dense(items)(u))


def interactions(users=50, items=20, n=600):
    rng = np.random.default_rng(2)
    taste = rng.integers(0, items, users)
    u = rng.integers(0, users, n)
    noise = rng.integers(0, items, n)
    clicked = np.where(rng.uniform(size=n) < 0.8, taste[u], noise)
    return u.astype("int32"), clicked.astype("int32")


def main():
    keras.utils.set_random_seed(0)
    u, clicked = interactions()
    model = towers(50, 20)
    model.compile(
        optimizer=keras.optimizers.Adam(0.02),
        loss=keras.losses.SparseCategoricalCrossentropy(from_logits=True),
        metrics=[mrr],
    )
    hist = model.fit(u, clicked, epochs=3, batch_size=100, verbose=0)
    print({k: round(v[-1], 4) for k, v in hist.history.items()})


if __name__ == "__main__":
    main()
