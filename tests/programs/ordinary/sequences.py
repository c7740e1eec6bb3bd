"""A recurrent loop with TensorArray, a data pipeline with helpers and flags, inference after training."""
import argparse

import tensorflow as tf

tf.random.set_seed(1)
args = argparse.Namespace(units=4, length=5, augment=True, epoch=0, mode="train")
AUGMENT = True
cell = tf.keras.layers.GRUCell(args.units)
dense = tf.keras.layers.Dense(1)
optimizer = tf.keras.optimizers.Adam(1e-2)
totals = {"train": 0.0, "test": 0.0}


def normalise(x):
    return (x - tf.reduce_mean(x)) / (tf.math.reduce_std(x) + 1e-6)


def prepare(x):
    if args.augment and AUGMENT:
        x = x + tf.random.normal(tf.shape(x)) * 0.01
    return normalise(x), tf.reduce_sum(x)


def run(x):
    state = tf.zeros([tf.shape(x)[0], args.units])
    outputs = tf.TensorArray(tf.float32, size=args.length)
    for step in tf.range(args.length):
        _, (state,) = cell(x[:, step], [state])
        outputs = outputs.write(step, dense(state))
    return tf.transpose(outputs.stack(), [1, 0, 2])


@tf.function
def train(x, y, training):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(tf.reduce_sum(run(x), [1, 2]) - y))
    if training:
        variables = cell.trainable_variables + dense.trainable_variables
        optimizer.apply(tape.gradient(loss, variables), variables)
    return loss


data = tf.data.Dataset.from_tensor_slices(tf.random.normal([16, args.length, 3]))
data = data.map(prepare).batch(4, drop_remainder=True).prefetch(1)
cell.build([4, 3]), dense.build([4, args.units])
for args.epoch in range(3):
    for x, y in data:
        totals["train"] += float(train(x, y, True))
    args.mode = "test"
    for x, y in data:
        totals["test"] += float(train(x, y, False))
AUGMENT = False
print(args.epoch, len(totals))
