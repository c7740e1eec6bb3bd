"""Programs as people write them, with the ways of naming and building that people have.

`# HERE` marks the line that the report must name.
"""

QUANTISED = """
import tensorflow as tf
from tensorflow import keras as k
from tensorflow.keras import layers as L


class Quantised(k.Model):
    def __init__(self, codes=8, width=4, **options):
        super().__init__(**options)
        self.encoder = k.Sequential([L.Dense(16, "relu"), L.Dense(width)])
        self.decoder = k.Sequential([L.Dense(16, "relu"), L.Dense(6)])
        self.book = self.add_weight(shape=(codes, width), name="book")

    def quantise(self, z):
        distances = tf.reduce_sum((z[:, None] - self.book[None]) ** 2, -1)
        nearest = tf.argmin(distances, -1)  # HERE
        return tf.gather(self.book, nearest)

    def call(self, x):
        return self.decoder(self.quantise(self.encoder(x)))


model = Quantised()
optimizer = k.optimizers.Adam(1e-3)


@tf.function
def step(batch):
    with tf.GradientTape() as t:
        loss = tf.reduce_mean(k.losses.mse(batch, model(batch, training=True)))
    gradients = t.gradient(loss, model.trainable_weights)
    optimizer.apply_gradients((g, w) for g, w in zip(gradients, model.trainable_weights) if g is not None)


for batch in tf.data.Dataset.from_tensor_slices(tf.random.normal([16, 6])).batch(8):
    step(batch)
"""

AVERAGED = """
import tensorflow as tf


class Net(tf.Module):
    def __init__(self):
        super().__init__()
        self.w = tf.Variable(tf.random.normal([3, 2]), name="w")
        self.b = tf.Variable(tf.zeros([2]), name="b")

    def __call__(self, x):
        return x @ self.w + self.b


def average(net, shadow, decay=0.9):
    for name in ("w", "b"):
        setattr(net, name, decay * shadow[name] + (1 - decay) * getattr(net, name))  # HERE


net = Net()
shadow = {"w": tf.identity(net.w), "b": tf.identity(net.b)}
x, y = tf.ones([4, 3]), tf.zeros([4, 2])
for _ in range(3):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((net(x) - y) ** 2)
    gw, gb = tape.gradient(loss, [net.w, net.b])
    if gw is not None:
        net.w.assign_sub(0.1 * gw)
        net.b.assign_sub(0.1 * gb)
    average(net, shadow)
"""

MINED = """
import numpy as np
import tensorflow as tf
from tensorflow.keras import Sequential, layers, optimizers

net = Sequential([layers.Input((6,)), layers.Dense(4), layers.UnitNormalization()])
adam = optimizers.Adam()


def hardest(embedded, labels):
    embedded = embedded.numpy()  # HERE
    distances = np.linalg.norm(embedded[:, None] - embedded[None], axis=-1)
    same = labels[:, None] == labels[None]
    worst = np.where(same, distances, 0).max(1) - np.where(same, 1e9, distances).min(1)
    return tf.reduce_mean(tf.maximum(tf.constant(worst, tf.float32) + 0.2, 0.0))


pictures = np.random.rand(12, 6).astype("float32")
for _ in range(2):
    with tf.GradientTape() as tape:
        loss = hardest(net(pictures), np.arange(12) // 3)
    gradients = tape.gradient(loss, net.trainable_variables)
    adam.apply_gradients(zip(gradients, net.trainable_variables))
"""

TAGGER = """
import tensorflow as tf
from tensorflow import keras


class Tagger(keras.Model):
    def __init__(self):
        super().__init__()
        self.embed = keras.layers.Embedding(20, 8)
        self.recurrent = keras.layers.LSTM(6, return_sequences=True, return_state=True)
        self.out = keras.layers.Dense(3)

    def call(self, words, state=None):
        sequence, hidden, cell = self.recurrent(self.embed(words), initial_state=state)
        features = tf.stop_gradient(sequence)  # HERE
        return self.out(features), [hidden, cell]


tagger = Tagger()
optimizer = keras.optimizers.Adam()
cross_entropy = keras.losses.SparseCategoricalCrossentropy(from_logits=True)


@tf.function(reduce_retracing=True)
def train(words, tags):
    with tf.GradientTape() as tape:
        logits, _ = tagger(words)
        loss = cross_entropy(tags, logits)
    gradients = tape.gradient(loss, tagger.trainable_variables)
    optimizer.apply_gradients(zip(gradients, tagger.trainable_variables))


train(tf.ones([2, 7], tf.int32), tf.zeros([2, 7], tf.int32))
"""

BINARISED = """
import tensorflow as tf

inner = tf.keras.Sequential([tf.keras.Input((3,)), tf.keras.layers.Dense(4)], name="inner")


class Binarise(tf.keras.layers.Layer):
    def call(self, x):
        return tf.where(x > 0.0, 1.0, -1.0)  # HERE


outer = tf.keras.Sequential([tf.keras.Input((3,)), inner, Binarise(), tf.keras.layers.Dense(1)])
for eagerly in (False, True):
    outer.compile("adam", "mse", run_eagerly=eagerly)
    outer.fit(tf.ones([8, 3]), tf.ones([8, 1]), verbose=0, batch_size=4)
"""

LATE = """
import tensorflow as tf


class Late(tf.Module):
    def __init__(self):
        super().__init__()
        self.kernel = None

    @tf.function
    def __call__(self, x):
        if self.kernel is None:
            self.kernel = tf.Variable(tf.ones([3, 1]), name="kernel")
        return tf.math.ceil(x @ self.kernel)  # HERE


late = Late()
for _ in range(3):
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(late(tf.ones([2, 3])))
    tape.gradient(loss, late.kernel)
"""

HELPER = """
import tensorflow as tf


def gradients_of(compute, sources):
    with tf.GradientTape() as tape:
        loss = compute()
    return tape.gradient(loss, sources)  # HERE


v = tf.Variable([1.0, 2.0])
x = tf.constant([3.0, 4.0])
gradients_of(lambda: tf.reduce_sum(v * x), [v])
gradients_of(lambda: tf.reduce_sum(v * x), [x])
"""

# name: program, rule, part of the message
UNSEEN = {
    "codes chosen by argmin": (QUANTISED, "GD504", "`ArgMin` at line"),
    "weights replaced by their average": (AVERAGED, "GD506", "`net.w`, `net.b` is None: the variable was"),
    "pairs mined with NumPy": (MINED, "GD503", "through `.numpy()`"),
    "recurrent features held back": (TAGGER, "GD504", "`tf.stop_gradient` at line"),
    "binary layer between nested models": (BINARISED, "GD504", "`Greater` at line"),
    "variable made in the first call": (LATE, "GD504", "`Ceil` at line"),
    "one helper for variables and tensors": (HELPER, "GD501", "it is a tensor"),
}
