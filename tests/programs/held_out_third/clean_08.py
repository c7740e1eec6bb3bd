"""Shape retrieval features from a graph algorithm that only exists in NumPy."""
import numpy as np
import keras
import tensorflow as tf
from keras import layers

NODES, BINS = 14, 10


def all_pairs(adjacency):
    """Floyd-Warshall on a weighted graph."""
    d = np.where(adjacency > 0, adjacency, np.inf)
    np.fill_diagonal(d, 0.0)
    for k in range(len(d)):
        d = np.minimum(d, d[:, k : k + 1] + d[k : k + 1, :])
    return np.where(np.isfinite(d), d, 9.0).astype("float32")


def histogram(dist, seen):
    if int(seen) % 64 == 0:
        print("features for graph", int(seen))
    counts, _ = np.histogram(dist[np.triu_indices(NODES, 1)], bins=BINS, range=(0, 4))
    return counts.astype("float32") / counts.sum()


def featurise(index, adjacency, label):
    dist = tf.numpy_function(all_pairs, [adjacency], tf.float32, stateful=False)
    dist.set_shape([NODES, NODES])
    hist = tf.py_function(
        lambda d, i: histogram(d.numpy(), i.numpy()), [dist, index], Tout=tf.float32)
    hist = tf.ensure_shape(hist, [BINS])
    ecc = tf.reduce_max(dist, axis=1)
    spread = tf.stack([tf.reduce_mean(ecc), tf.math.reduce_std(ecc)])
    return tf.concat([hist, spread], axis=0), label


def random_graph(kind, rng):
    a = np.zeros((NODES, NODES), "float32")
    if kind == 0:
        links = [(i, (i + 1) % NODES) for i in range(NODES)]
    else:
        links = [(int(rng.integers(0, i)), i) for i in range(1, NODES)]
    extra = rng.integers(0, NODES, (2, 2))
    for i, j in links + [tuple(e) for e in extra if e[0] != e[1]]:
        a[i, j] = a[j, i] = rng.uniform(0.3, 1.0)
    return a


def dataset(n, seed, batch=16):
    rng = np.random.default_rng(seed)
    labels = rng.integers(0, 2, n).astype("int32")
    graphs = np.stack([random_graph(k, rng) for k in labels])
    ds = tf.data.Dataset.from_tensor_slices((np.arange(n), graphs, labels))
    return ds.map(featurise).cache().batch(batch, drop_remainder=True)


class Retrieval(keras.Model):
    def __init__(self):
        super().__init__()
        self.hidden = [layers.Dense(16, activation="relu") for _ in range(2)]
        self.out = layers.Dense(2)

    def call(self, x):
        for layer in self.hidden:
            x = layer(x)
        return self.out(x)


def main():
    keras.utils.set_random_seed(1)
    model = Retrieval()
    model.compile(keras.optimizers.Adam(1e-2),
                  keras.losses.SparseCategoricalCrossentropy(from_logits=True), metrics=["accuracy"])
    hist = model.fit(dataset(128, 0), validation_data=dataset(64, 1), epochs=40, verbose=0)
    print("val accuracy", round(hist.history["val_accuracy"][-1], 3))


if __name__ == "__main__":
    main()
