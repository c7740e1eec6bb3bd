"""Convolutions gain little from a graph

For a few expensive operations, such as convolutions, `tf.function` brings not much speed.

Say instead: just that, as long as the convolution is large; the time is in the kernel.
"""

import time

import keras
import tensorflow as tf

tf.config.threading.set_intra_op_parallelism_threads(1)
tf.config.threading.set_inter_op_parallelism_threads(1)
layer = keras.layers.Conv2D(64, 3)
image = tf.zeros([1, 128, 128, 64])
graph = tf.function(layer)
times = {"eager": [], "graph": []}
for number in range(25):
    for name, function in (("eager", layer), ("graph", graph)):
        start = time.process_time()
        function(image).numpy()
        if number >= 5:
            times[name].append(time.process_time() - start)
ratio = min(times["eager"]) / min(times["graph"])
print(f"eager takes {ratio:.2f} times as long as the graph")
print("verdict:", "true" if ratio < 1.5 else "false")
