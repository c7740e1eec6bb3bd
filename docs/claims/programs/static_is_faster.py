"""Static shapes run faster than dynamic ones

With `.shape` and fixed sizes everything is optimised; with unknown sizes the graph computes them at run time,
and is slower.

Say instead: the sizes are a handful of integers beside millions of multiplications. In the attention
step below the difference is lost in the noise; measure your own step before you give up on `None`.
"""

import time

import tensorflow as tf

tf.config.threading.set_intra_op_parallelism_threads(1)
tf.config.threading.set_inter_op_parallelism_threads(1)
weights = tf.Variable(tf.random.normal([80, 64]) * 0.1)
symbols = tf.Variable(tf.random.normal([40, 64]) * 0.1)


def step(text, mel):
    with tf.GradientTape() as tape:
        queries, keys = tf.tanh(tf.matmul(mel, weights)), tf.nn.embedding_lookup(symbols, text)
        distances = tf.reduce_sum((queries[:, :, None, :] - keys[:, None, :, :]) ** 2, -1)
        mask = tf.sequence_mask(tf.fill([tf.shape(text)[0]], 50), tf.shape(text)[1])[:, None, :]
        attention = tf.nn.softmax(tf.where(mask, -distances, -1e9))
        read = tf.matmul(tf.matmul(attention, keys), weights, transpose_b=True)
        loss = tf.reduce_sum((read - mel) ** 2)
    return tape.gradient(loss, weights)


text, mel = tf.ones([2, 60], tf.int32), tf.random.normal([2, 200, 80])
unknown = [tf.TensorSpec([None, None], tf.int32), tf.TensorSpec([None, None, 80])]
steps = {"static": tf.function(step), "dynamic": tf.function(step, input_signature=unknown)}
times = {name: [] for name in steps}
for number in range(20):
    for name, function in steps.items():
        start = time.process_time()
        function(text, mel).numpy()
        if number >= 5:
            times[name].append(time.process_time() - start)
ratio = min(times["dynamic"]) / min(times["static"])
print(f"the dynamic step takes {ratio:.2f} times as long as the static one")
print("verdict:", "true" if ratio > 1.2 else "false")
