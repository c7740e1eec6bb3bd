"""Two-tower recommender with a choice of scoring heads."""
import numpy as np
import tensorflow as tf
import keras

HEADS = {}


def register(name):
    def wrap(fn):
        HEADS[name] = fn
        return fn
    return wrap


@register("mlp")
def mlp_head(user, item):
    x = keras.layers.Concatenate()([user, item])
    x = keras.layers.Dense(16, activation="relu")(x)
    return keras.layers.Dense(1, activation="sigmoid")(x)


@register("cosine")
def cosine_head(user, item):
    user = tf.math.l2_normalize(user, axis=-1)
    item = tf.math.l2_normalize(item, axis=-1)
    score = keras.layers.Dot(axes=-1)([user, item])
    return keras.layers.Dense(1, activation="sigmoid")(score)


def tower(size, dim, name):
    ids = keras.Input((), dtype="int32", name=name)
    x = keras.layers.Embedding(size, dim)(ids)
    return ids, keras.layers.Dense(dim, activation="relu")(x)


def build(n_users, n_items, dim=8, head="mlp"):
    u_in, u = tower(n_users, dim, "user")
    i_in, i = tower(n_items, dim, "item")
    model = keras.Model([u_in, i_in], HEADS[head](u, i))
    model.compile("adam", "binary_crossentropy")
    return model


def interactions(n=256, n_users=50, n_items=80, seed=0):
    rng = np.random.default_rng(seed)
    users = rng.integers(0, n_users, n).astype("int32")
    items = rng.integers(0, n_items, n).astype("int32")
    clicks = ((users + items) % 2).astype("float32")[:, None]
    return users, items, clicks


if __name__ == "__main__":
    users, items, clicks = interactions()
    for head in HEADS:
        model = build(50, 80, head=head)
        hist = model.fit([users, items], clicks, epochs=2, batch_size=64, verbose=0)
        print(head, [round(v, 4) for v in hist.history["loss"]])
