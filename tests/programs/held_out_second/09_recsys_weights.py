"""Two tower recommender; some logs carry sample weights or a device column."""
import numpy as np
import tensorflow as tf

USERS, ITEMS, DIM = 50, 80, 8


class Tower(tf.keras.layers.Layer):
    def __init__(self, rows, **kw):
        super().__init__(**kw)
        self.table = tf.keras.layers.Embedding(rows, DIM)
        self.proj = tf.keras.layers.Dense(DIM)

    def call(self, ids):
        return tf.math.l2_normalize(self.proj(self.table(ids)), axis=-1)


class TwoTower(tf.Module):
    def __init__(self):
        super().__init__()
        self.user, self.item = Tower(USERS), Tower(ITEMS)
        self.opt = tf.keras.optimizers.Adagrad(0.1)
        self.user(tf.zeros([1], tf.int32)), self.item(tf.zeros([1], tf.int32))
        self.opt.build(self.weights())

    def weights(self):
        return self.user.trainable_variables + self.item.trainable_variables

    @tf.function
    def train_step(self, batch):
        with tf.GradientTape() as tape:
            scores = tf.matmul(self.user(batch["user"]), self.item(batch["item"]), transpose_b=True) * 5.0
            labels = tf.range(tf.shape(scores)[0])
            loss = tf.nn.sparse_softmax_cross_entropy_with_logits(labels, scores)
            if "weight" in batch:
                loss *= batch["weight"]
            if "dwell" in batch:
                loss *= 1.0 + tf.math.log1p(batch["dwell"])
            if "device" in batch:
                loss *= tf.where(batch["device"] == 0, 1.0, 0.5)
            loss = tf.reduce_mean(loss)
        grads = tape.gradient(loss, self.weights())
        self.opt.apply_gradients(zip(grads, self.weights()))
        return loss


def log_reader(days, per_day=32, seed=0):
    rng = np.random.default_rng(seed)
    for day in range(days):
        row = {"user": rng.integers(0, USERS, per_day), "item": rng.integers(0, ITEMS, per_day)}
        if day % 2:
            row["weight"] = rng.uniform(0.5, 1.5, per_day).astype("float32")
        if day % 3 == 0:
            row["dwell"] = rng.exponential(1.0, per_day).astype("float32")
        if day % 4 == 0:
            row["device"] = rng.integers(0, 2, per_day)
        yield row


def to_tensors(row):
    return {name: tf.convert_to_tensor(column) for name, column in row.items()}


def main():
    model = TwoTower()
    loss = None
    for row in log_reader(24):
        loss = model.train_step(to_tensors(row))
    print("final loss %.4f" % float(loss))


if __name__ == "__main__":
    main()
