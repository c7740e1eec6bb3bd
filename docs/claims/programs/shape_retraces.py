"""`tf.shape()` in the step makes it trace again

Even with fixed input shapes, `tf.shape(x)[1]` makes each call look different, so that the function
is traced again and again.

Say instead: it never does. A trace depends on the arguments alone; what makes it trace again is an
argument whose shape changes.
"""

import tensorflow as tf

traces = []


@tf.function
def step(mel, lengths):
    traces.append(1)
    return tf.sequence_mask(lengths, maxlen=tf.shape(mel)[1])


for number in range(50):
    step(tf.random.normal([4, 80, 8]), tf.fill([4], number))
fixed = len(traces)
for length in (81, 82, 83):
    step(tf.random.normal([4, length, 8]), tf.fill([4], 3))
print("50 calls with one shape, traces:", fixed)
print("3 calls with new shapes, further traces:", len(traces) - fixed)
print("verdict:", "false" if fixed == 1 else "true")
