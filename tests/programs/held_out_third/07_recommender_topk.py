"""Two-tower recommender: fit on implicit feedback, then report recall@k over all users."""
from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from tensorflow import keras
from tensorflow.keras import layers


@dataclass
class Shop:
    n_users: int = 60
    n_items: int = 50
    n_events: int = 2048
    factors: int = 8


def events(shop: Shop, seed: int = 0):
    rng = np.random.default_rng(seed)
    pu = rng.normal(size=(shop.n_users, 3))
    qi = rng.normal(size=(shop.n_items, 3))
    users = rng.integers(0, shop.n_users, shop.n_events)
    items = rng.integers(0, shop.n_items, shop.n_events)
    liked = (np.sum(pu[users] * qi[items], axis=1) > 0.5).astype("float32")
    return users.astype("int32"), items.astype("int32"), liked


def two_tower(shop: Shop) -> keras.Model:
    u = keras.Input((), dtype="int32", name="user")
    i = keras.Input((), dtype="int32", name="item")
    eu = layers.Embedding(shop.n_users, shop.factors)(u)
    ei = layers.Embedding(shop.n_items, shop.factors)(i)
    score = layers.Dot(axes=-1)([eu, ei])
    return keras.Model([u, i], layers.Activation("sigmoid")(score))


class Recommender:
    def __init__(self, shop: Shop):
        self.shop = shop
        self.model = two_tower(shop)
        self.model.compile(optimizer=keras.optimizers.Adam(0.02), loss="binary_crossentropy")
        self.catalog = np.arange(shop.n_items, dtype="int32")

    def fit(self, users, items, liked):
        self.model.fit([users, items], liked, batch_size=256, epochs=5, verbose=0)
        return self

    def scores(self, user: int) -> np.ndarray:
        who = np.full_like(self.catalog, user)
        return self.model.predict([who, self.catalog], verbose=0).reshape(-1)

    def top_k(self, user: int, k: int) -> list[int]:
        return np.argsort(-self.scores(user))[:k].tolist()


def recall_at_k(rec: Recommender, users, items, liked, k: int = 10) -> float:
    hits, total = 0, 0
    for user in range(rec.shop.n_users):
        wanted = set(items[(users == user) & (liked > 0)].tolist())
        if not wanted:
            continue
        hits += len(wanted & set(rec.top_k(user, k)))
        total += min(len(wanted), k)
    return hits / total


def main():
    keras.utils.set_random_seed(4)
    shop = Shop()
    users, items, liked = events(shop)
    rec = Recommender(shop).fit(users, items, liked)
    print(f"recall@10 = {recall_at_k(rec, users, items, liked):.3f}")


if __name__ == "__main__":
    main()
