"""Python lists and dicts must not be passed to the step

Only tensors may be arguments; lists, dicts and configuration objects make it trace again.

Say instead: a dict or list of tensors is fine. Numbers in it count by value, and an object counts
by identity: a new one at each call traces each time.
"""

import tensorflow as tf


class Config:
    rate = 0.1


same = Config()
arguments = {
    "dict of tensors": lambda number: {"x": tf.constant(number)},
    "list of tensors": lambda number: [tf.constant(number), tf.constant(1)],
    "list of numbers": lambda number: [number, 1],
    "one object": lambda number: same,
    "a new object each time": lambda number: Config(),
}
traces = {}
for name, make in arguments.items():
    step = tf.function(lambda argument: tf.constant(0))
    for number in range(5):
        step(make(number))
    traces[name] = step.experimental_get_tracing_count()
    print(f"{name}: {traces[name]} traces for 5 calls")
fine = traces["dict of tensors"] == traces["list of tensors"] == traces["one object"] == 1
print("verdict:", "partly" if fine and traces["list of numbers"] == 5 else "true")
