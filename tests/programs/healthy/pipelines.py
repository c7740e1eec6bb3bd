"""Pipelines of texts of any length, for training and for test."""

import numpy as np
import tensorflow as tf

AUTO = tf.data.AUTOTUNE
words = ["a b c", "d e f g", "a a", "c d e f g h"] * 50
vocabulary = tf.keras.layers.StringLookup(vocabulary=list("abcdefgh"))


def encode(text, label):
    return vocabulary(tf.strings.split(text)), label


def augment(tokens, label):
    keep = tf.random.uniform(tf.shape(tokens)) > 0.1
    return tf.where(keep, tokens, tf.zeros_like(tokens)), label


def pipeline(training):
    data = tf.data.Dataset.from_tensor_slices((words, np.arange(len(words)) % 2))
    if training:
        data = data.shuffle(200)
    data = data.map(encode, num_parallel_calls=AUTO)
    if training:
        data = data.map(augment, num_parallel_calls=AUTO)
    return data.padded_batch(16, padded_shapes=([None], [])).prefetch(AUTO)


model = tf.keras.Sequential(
    [tf.keras.layers.Embedding(10, 8), tf.keras.layers.GlobalAveragePooling1D(), tf.keras.layers.Dense(1)]
)
optimizer = tf.keras.optimizers.Adam()
bce = tf.keras.losses.BinaryCrossentropy(from_logits=True)


@tf.function(input_signature=[tf.TensorSpec([None, None], tf.int64), tf.TensorSpec([None], tf.int64)])
def step(tokens, labels):
    with tf.GradientTape() as tape:
        loss = bce(labels[:, None], model(tokens, training=True))
    optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))
    return loss


train, test = pipeline(True), pipeline(False)
for epoch in range(5):
    for tokens, labels in train:
        loss = step(tokens, labels)
    right = sum(int(tf.reduce_sum(tf.cast((model(t)[:, 0] > 0) == (l > 0), tf.int32))) for t, l in test)
    print(epoch, right >= 0)
