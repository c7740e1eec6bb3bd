"""TensorArray repairs the loop, at good performance

Writing the results to a TensorArray, and slicing the input with `x[:, t]`, is the clean solution
and is fast.

Say instead: it works, outside Keras 3. But the gradient of `x[:, t]` in a loop is a tensor of the
size of `x` at each step, so the backward pass is quadratic in the length: unstack the input into a
TensorArray too, or use no loop.
"""

import time

import keras
import tensorflow as tf

tf.config.threading.set_intra_op_parallelism_threads(1)
tf.config.threading.set_inter_op_parallelism_threads(1)


@tf.function
def sliced(x):
    result = tf.TensorArray(tf.float32, tf.shape(x)[1])
    for t in tf.range(tf.shape(x)[1]):
        result = result.write(t, tf.tanh(x[:, t]))
    return result.stack()


@tf.function
def unstacked(x):
    steps = tf.TensorArray(tf.float32, tf.shape(x)[1]).unstack(tf.transpose(x, [1, 0, 2]))
    result = tf.TensorArray(tf.float32, tf.shape(x)[1])
    for t in tf.range(tf.shape(x)[1]):
        result = result.write(t, tf.tanh(steps.read(t)))
    return result.stack()


@tf.function
def gradient(function, x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        loss = tf.reduce_sum(function(x))
    return tape.gradient(loss, x)


class Attention(keras.layers.Layer):
    def call(self, x):
        return sliced.python_function(x)


layer = Attention()
try:
    tf.function(lambda x: layer(x))(tf.ones([2, 3, 4]))
    through_keras = "works"
except Exception as error:
    through_keras = type(error).__name__
print("the same loop in the `call` of a Keras 3 layer:", through_keras)
ratios = {}
for length in (50, 200):
    x = tf.ones([16, length, 100])
    times = {sliced: [], unstacked: []}
    for number in range(9):
        for function, kept in times.items():
            start = time.process_time()
            gradient(function, x).numpy()
            if number >= 2:
                kept.append(time.process_time() - start)
    ratios[length] = min(times[sliced]) / min(times[unstacked])
    print(
        f"length {length}: slicing takes {ratios[length]:.1f} times as long as unstacking, with the gradient"
    )
print("the ratio grows with the length:", ratios[200] > ratios[50])
print("verdict:", "partly" if ratios[200] > 1.5 else "true")
