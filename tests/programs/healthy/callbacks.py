"""`fit` with callbacks, one of which looks at a few samples after each epoch."""

import os
import tempfile

import numpy as np
import tensorflow as tf

keras = tf.keras


class Preview(keras.callbacks.Callback):
    def __init__(self, samples):
        super().__init__()
        self.samples = samples
        self.history = []

    def on_epoch_end(self, epoch, logs=None):
        guess = self.model.predict(self.samples, verbose=0)
        self.history.append(guess.argmax(-1))
        print("epoch", epoch, "preview", self.history[-1][:3])


def make():
    inputs = keras.Input([20])
    x = keras.layers.Dense(64, "relu")(inputs)
    x = keras.layers.BatchNormalization()(x)
    x = keras.layers.Dropout(0.2)(x)
    return keras.Model(inputs, keras.layers.Dense(5, "softmax")(x))


x = np.random.rand(2000, 20).astype("float32")
y = np.random.randint(0, 5, 2000)
model = make()
model.compile(keras.optimizers.Adam(1e-3), "sparse_categorical_crossentropy", metrics=["accuracy"])
folder = tempfile.mkdtemp()
model.fit(
    x,
    y,
    validation_split=0.2,
    epochs=12,
    batch_size=64,
    verbose=0,
    callbacks=[
        Preview(x[:16]),
        keras.callbacks.EarlyStopping(patience=20),
        keras.callbacks.ReduceLROnPlateau(patience=2),
        keras.callbacks.ModelCheckpoint(os.path.join(folder, "best.keras"), save_best_only=True),
        keras.callbacks.LearningRateScheduler(lambda epoch, rate: rate * 0.95),
    ],
)
print(model.evaluate(x, y, verbose=0))
