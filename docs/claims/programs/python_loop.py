"""AutoGraph struggles with a Python `for` over `range(x.shape[0])`

A Python loop over the rows is not transformed well; `tf.map_fn` is parallel and should be used
instead.

Say instead: the loop is unrolled while tracing, which works and costs graph size; `tf.map_fn` is a
graph loop that runs one row after the other. The vectorised line is the fast one.
"""

import time

import tensorflow as tf

tf.config.threading.set_intra_op_parallelism_threads(1)
tf.config.threading.set_inter_op_parallelism_threads(1)
rows = tf.random.normal([64, 256])
weights = tf.random.normal([256, 256])


@tf.function
def unrolled(x):
    total = 0.0
    for i in range(x.shape[0]):
        total += tf.reduce_sum(tf.linalg.matvec(weights, x[i]))
    return total


@tf.function
def mapped(x):
    return tf.reduce_sum(tf.map_fn(lambda row: tf.linalg.matvec(weights, row), x))


@tf.function
def vectorised(x):
    return tf.reduce_sum(tf.matmul(x, weights, transpose_b=True))


variants = {"unrolled loop": unrolled, "tf.map_fn": mapped, "vectorised": vectorised}
times = {name: [] for name in variants}
for number in range(25):
    for name, variant in variants.items():
        start = time.process_time()
        variant(rows).numpy()
        if number >= 5:
            times[name].append(time.process_time() - start)
least = {name: min(values) for name, values in times.items()}
for name, variant in variants.items():
    operations = len(variant.get_concrete_function(rows).graph.get_operations())
    ratio = least[name] / least["vectorised"]
    print(f"{name}: {operations} operations at the top, {ratio:.0f} times the vectorised time")
print("verdict:", "partly" if least["tf.map_fn"] > least["vectorised"] else "true")
