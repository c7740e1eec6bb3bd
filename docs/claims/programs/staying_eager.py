"""Staying eager can be fastest

Without the decorator, the same thousand calls take 0.0006 s: the overhead of TensorFlow is more
than the work.

Say instead: true of that program, which then computes `5 * 0` on Python integers and calls no
TensorFlow at all, and true of one small operation on a tensor. Many small operations gain from the
graph.
"""

import time

import tensorflow as tf

tf.config.threading.set_intra_op_parallelism_threads(1)
tf.config.threading.set_inter_op_parallelism_threads(1)


def multiply(x, step):
    return 5 * x


def chain(x):
    for _ in range(50):
        x = x * 1.01 + 0.1
    return x


def least_seconds(*functions):
    times = [[] for _ in functions]
    for number in range(60):
        for function, kept in zip(functions, times, strict=True):
            start = time.process_time()
            function()
            if number >= 10:
                kept.append(time.process_time() - start)
    return [min(kept) for kept in times]


x, step = tf.constant(3.0), tf.constant(1)
one, many = tf.function(multiply), tf.function(chain)
python, eager, graph = least_seconds(lambda: multiply(0, 1), lambda: multiply(x, step), lambda: one(x, step))
eager_many, graph_many = least_seconds(lambda: chain(x), lambda: many(x))
print("the claimed program without the decorator returns:", type(multiply(0, 1)).__name__)
print(f"one multiplication: the graph takes {graph / eager:.1f} times as long as eager")
print(f"a hundred small operations: eager takes {eager_many / graph_many:.1f} times as long as the graph")
print("verdict:", "partly" if eager_many > graph_many else "true")
