"""A step counter as a Python number: 12.0 s against 0.4 s

A thousand calls with a new Python number each take 12.0 s, because each traces again; with a tensor
0.4 s.

Say instead: right in kind: each new number is a new trace. The factor depends on what the function
costs to trace, and on the machine.
"""

import time

import tensorflow as tf

tf.config.threading.set_intra_op_parallelism_threads(1)
tf.config.threading.set_inter_op_parallelism_threads(1)
CALLS = 200
tf.get_logger().setLevel("ERROR")
traces = {"Python numbers": 0, "tensors": 0}
seconds = {}
for name, steps in (("Python numbers", range(CALLS)), ("tensors", tf.range(CALLS))):

    @tf.function
    def multiply(x, step, name=name):
        traces[name] += 1
        return 5 * x

    start = time.process_time()
    for step in steps:
        multiply(0, step)
    seconds[name] = time.process_time() - start
ratio = seconds["Python numbers"] / seconds["tensors"]
print(f"traces for {CALLS} calls: {traces}")
print(f"Python numbers take {ratio:.0f} times as long (claimed: 30 times)")
print("verdict:", "true" if traces == {"Python numbers": CALLS, "tensors": 1} and ratio > 5 else "false")
