"""Training without graphs is 10 to 20 % slower

Leaving `@tf.function` away costs 10 to 20 % of the speed (or a factor of 2 to 10, the same text
says elsewhere).

Say instead: it depends on how much work each operation does. Many small operations lose a factor, a
few large ones almost nothing; measure it.
"""

import time

import tensorflow as tf

tf.config.threading.set_intra_op_parallelism_threads(1)
tf.config.threading.set_inter_op_parallelism_threads(1)


def step(x, weights, times):
    for _ in range(times):
        x = tf.tanh(tf.matmul(x, weights))
    return tf.reduce_mean(x)


ratios = {}
for name, size, times in (("64 small layers", 16, 64), ("4 large layers", 1024, 4)):
    x, weights = tf.random.normal([size, size]), tf.random.normal([size, size])
    graph = tf.function(step)
    measured = {"eager": [], "graph": []}
    for number in range(25):
        for mode, function in (("eager", step), ("graph", graph)):
            start = time.process_time()
            function(x, weights, times).numpy()
            if number >= 5:
                measured[mode].append(time.process_time() - start)
    ratios[name] = min(measured["eager"]) / min(measured["graph"])
    print(f"{name}: eager takes {ratios[name]:.1f} times as long as the graph")
spread = [1.1 <= ratio <= 1.2 for ratio in ratios.values()]
print("verdict:", "true" if all(spread) else "depends")
