"""Callback that reports the error of a rating model for each user."""
import collections

import numpy as np
import keras


def ratings(n_users=25, per_user=5, dim=6, seed=0):
    rng = np.random.default_rng(seed)
    taste = rng.normal(size=(n_users, dim))
    users = np.repeat(np.arange(n_users), per_user)
    x = np.concatenate([taste[users], rng.normal(size=(len(users), dim))], 1).astype("float32")
    y = np.sum(x[:, :dim] * x[:, dim:], axis=1, keepdims=True)
    return users, x, y


def group(users):
    rows = collections.defaultdict(list)
    for row, user in enumerate(users):
        rows[int(user)].append(row)
    return rows


class UserReport(keras.callbacks.Callback):
    def __init__(self, users, x, y, every=2):
        super().__init__()
        self.rows = group(users)
        self.x, self.y = x, y
        self.every = every

    def errors(self):
        pred = self.model.predict(self.x, verbose=0)
        for user, rows in self.rows.items():
            yield user, float(np.mean((pred[rows] - self.y[rows]) ** 2))

    def on_epoch_end(self, epoch, logs=None):
        if (epoch + 1) % self.every:
            return
        ranked = sorted(self.errors(), key=lambda pair: -pair[1])
        worst = ", ".join(f"{u}: {e:.2f}" for u, e in ranked[:3])
        print(f"epoch {epoch + 1} loss {logs['loss']:.3f} worst users {worst}")


def build(n_in):
    model = keras.Sequential([keras.Input((n_in,)),
                              keras.layers.Dense(32, activation="relu"),
                              keras.layers.Dense(1)])
    model.compile(keras.optimizers.Adam(5e-3), "mse")
    return model


if __name__ == "__main__":
    keras.utils.set_random_seed(0)
    users, x, y = ratings()
    model = build(x.shape[1])
    model.fit(x, y, epochs=4, batch_size=50, verbose=0, callbacks=[UserReport(users, x, y)])
