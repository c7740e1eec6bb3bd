"""`self.call = tf.function(self.call, experimental_compile=False)` forces eager execution

Wrapping `call` in a `tf.function` without compilation switches the model to eager mode.

Say instead: it does the opposite: `call` becomes a graph. Without XLA is not without a graph. Eager
execution is `tf.config.run_functions_eagerly(True)`, or no `tf.function` at all.
"""

import keras
import tensorflow as tf


class Model(keras.Model):
    def call(self, x):
        modes.append("eager" if tf.executing_eagerly() else "graph")
        return x * 2.0


modes = []
plain, wrapped = Model(), Model()
wrapped.call = tf.function(wrapped.call, jit_compile=False)
plain(tf.ones([2]))
wrapped(tf.ones([2]))
print("call as it is, called eagerly:", modes[0])
print("call inside tf.function(…, jit_compile=False):", modes[-1])
print("verdict:", "false" if modes[-1] == "graph" else "true")
