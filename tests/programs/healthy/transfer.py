"""A head is trained, then the whole model at a smaller rate."""

import numpy as np
import tensorflow as tf

keras = tf.keras
base = keras.Sequential(
    [
        keras.Input([16, 16, 3]),
        keras.layers.Conv2D(8, 3, activation="relu"),
        keras.layers.BatchNormalization(),
        keras.layers.GlobalAveragePooling2D(),
    ],
    name="base",
)
base.trainable = False
inputs = keras.Input([16, 16, 3])
x = keras.layers.RandomFlip()(inputs)
x = keras.layers.Rescaling(1 / 127.5, -1)(x)
x = base(x, training=False)
outputs = keras.layers.Dense(3)(keras.layers.Dropout(0.2)(x))
model = keras.Model(inputs, outputs)
data = (
    tf.data.Dataset.from_tensor_slices(
        ((np.random.rand(200, 16, 16, 3) * 255).astype("float32"), np.random.randint(0, 3, 200))
    )
    .cache()
    .shuffle(200)
    .batch(32)
    .prefetch(tf.data.AUTOTUNE)
)
model.compile(
    keras.optimizers.Adam(1e-3),
    keras.losses.SparseCategoricalCrossentropy(from_logits=True),
    metrics=["accuracy"],
)
first = model.fit(data, epochs=5, validation_data=data, verbose=0)
base.trainable = True
for layer in base.layers[:1]:
    layer.trainable = False
model.compile(
    keras.optimizers.Adam(1e-5),
    keras.losses.SparseCategoricalCrossentropy(from_logits=True),
    metrics=["accuracy"],
)
model.fit(data, epochs=10, initial_epoch=first.epoch[-1] + 1, validation_data=data, verbose=0)
print(model.predict(np.zeros([5, 16, 16, 3], "float32"), verbose=0).shape)
