"""`print` in a `tf.function` runs only while tracing

Called twice, a decorated function prints once; `tf.print` prints at each call.

Say instead: just that.
"""

import sys

import tensorflow as tf


@tf.function
def greet(x):
    print("print: traced")
    tf.print("tf.print: executed", output_stream=sys.stdout)
    return x


class Counting:
    def __init__(self, stream):
        self.stream, self.text = stream, ""

    def write(self, text):
        self.text += text
        return self.stream.write(text)

    def flush(self):
        self.stream.flush()


sys.stdout = counting = Counting(sys.stdout)
greet(tf.constant(1))
greet(tf.constant(2))
print("verdict:", "true" if counting.text.count("print: traced") == 1 else "false")
