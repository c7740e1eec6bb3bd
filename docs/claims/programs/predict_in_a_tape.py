"""`model.predict` in a tape gives no gradient

The gradient of what `model.predict` returns raises "'numpy.dtype' object has no attribute
'is_floating'", and gives None after `tf.convert_to_tensor`.

Say instead: just that: `predict` returns a NumPy array, so call the model instead.
"""

import keras
import tensorflow as tf

model = keras.Sequential([keras.Input([3]), keras.layers.Dense(4)])
x = tf.ones([2, 3])


def gradient(convert):
    with tf.GradientTape() as tape:
        tape.watch(x)
        logits = model.predict(x, verbose=0)[:, 1]
        target = tf.convert_to_tensor(logits) if convert else logits
    try:
        return str(tape.gradient(target, x))
    except Exception as error:
        return type(error).__name__


array, converted = gradient(False), gradient(True)
print("the array itself:", array)
print("after tf.convert_to_tensor:", converted)
print("verdict:", "true" if (array, converted) == ("AttributeError", "None") else "partly")
