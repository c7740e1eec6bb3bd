import tensorflow as tf

RATE = 0.1
CONFIG = {"layers": 3}
table = tf.lookup.StaticHashTable(tf.lookup.KeyValueTensorInitializer(["a", "b"], [1, 2]), -1)
weights = [tf.Variable(tf.random.normal([4, 4])) for _ in range(CONFIG["layers"])]


@tf.function
def forward(x):
    for weight in weights:
        x = tf.nn.relu(x @ weight)
    return x * RATE


@tf.function
def lookup(words):
    return table.lookup(words)


def retrain():
    for weight in weights:
        weight.assign(tf.random.normal([4, 4]))
    return forward(tf.ones([1, 4])), lookup(tf.constant(["a"]))
