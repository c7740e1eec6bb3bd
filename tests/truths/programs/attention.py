"""Attention with a mask, trained by `fit`."""

import keras
import numpy as np

tokens = np.random.randint(1, 20, (16, 7))
labels = np.random.randint(0, 2, (16,))
inputs = keras.Input([7], dtype="int32")
hidden = keras.layers.Embedding(20, 8)(inputs)
hidden = hidden + keras.layers.MultiHeadAttention(2, 4)(hidden, hidden)
outputs = keras.layers.Dense(2)(keras.layers.GlobalAveragePooling1D()(hidden))
model = keras.Model(inputs, outputs)
model.compile("adam", keras.losses.SparseCategoricalCrossentropy(from_logits=True))
model.fit(tokens, labels, verbose=0)
