"""Checkpoints of a model and its optimizer, written and read."""

import tempfile

import keras
import numpy as np
import tensorflow as tf

x = np.random.rand(32, 4).astype("float32")
y = np.random.rand(32, 1).astype("float32")
model = keras.Sequential([keras.Input([4]), keras.layers.Dense(8, "relu"), keras.layers.Dense(1)])
optimizer = keras.optimizers.Adam()
optimizer.build(model.trainable_variables)
saved = tf.train.Checkpoint(model=model, optimizer=optimizer)
with tempfile.TemporaryDirectory() as folder:
    path = saved.save(folder + "/a")
    saved.restore(path)
model.compile(optimizer, "mse")
model.fit(x, y, verbose=0)
