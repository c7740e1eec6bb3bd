"""Keras as most people use it: fit with callbacks and validation, evaluate, predict, compile again."""
import keras
import tensorflow as tf

keras.utils.set_random_seed(1)
BATCH = 8
epoch_seen = 0


class Note(keras.callbacks.Callback):
    def on_epoch_end(self, epoch, logs=None):
        global epoch_seen
        epoch_seen = epoch
        self.model.last_epoch = epoch


inputs = keras.Input([4])
hidden = keras.layers.Dense(8, activation="relu")(inputs)
hidden = keras.layers.Dropout(0.2)(hidden)
hidden = keras.layers.BatchNormalization()(hidden)
model = keras.Model(inputs, keras.layers.Dense(1)(hidden))
x, y = tf.random.normal([36, 4]), tf.random.normal([36, 1])
callbacks = [Note(), keras.callbacks.ReduceLROnPlateau(patience=1), keras.callbacks.EarlyStopping(patience=3)]
for loss in ("mse", "mae"):
    model.compile(keras.optimizers.Adam(1e-2), loss, metrics=["mae"])
    model.fit(x, y, batch_size=BATCH, epochs=2, validation_split=0.2, callbacks=callbacks, verbose=0)
    print(len(model.evaluate(x, y, verbose=0)), model.predict(x, verbose=0).shape)
