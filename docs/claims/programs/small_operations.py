"""Many small operations gain from a graph

Functions can be faster than eager code, especially for graphs with many small operations.

Say instead: just that.
"""

import time

import tensorflow as tf

tf.config.threading.set_intra_op_parallelism_threads(1)
tf.config.threading.set_inter_op_parallelism_threads(1)


def chain(x):
    for _ in range(100):
        x = tf.tanh(x + 0.1)
    return x


graph, x = tf.function(chain), tf.ones([10])
times = {"eager": [], "graph": []}
for number in range(40):
    for name, function in (("eager", chain), ("graph", graph)):
        start = time.process_time()
        function(x).numpy()
        if number >= 10:
            times[name].append(time.process_time() - start)
ratio = min(times["eager"]) / min(times["graph"])
print(f"200 small operations: eager takes {ratio:.1f} times as long as the graph")
print("verdict:", "true" if ratio > 1.5 else "false")
