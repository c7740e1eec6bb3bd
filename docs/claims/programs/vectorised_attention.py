"""The attention loop cannot be vectorised

The window's position depends on the position at the step before, so the loop over time cannot be
replaced.

Say instead: the position is a running sum of what the first layer gives at each step, so
`tf.cumsum` computes all positions at once, and the windows follow without a loop. (Where the window
is fed back into the first layer, the recurrence is real, and the claim holds.)
"""

import tensorflow as tf

BATCH, TIME, GAUSSIANS, CHARACTERS, ALPHABET = 2, 30, 3, 8, 5
tf.random.set_seed(0)
hidden = tf.random.normal([BATCH, TIME, 3 * GAUSSIANS])  # what the first layer gives
text = tf.one_hot(tf.random.uniform([BATCH, CHARACTERS], 0, ALPHABET, tf.int32), ALPHABET)
places = tf.range(CHARACTERS, dtype=tf.float32)


def weigh(alpha, beta, kappa):
    return tf.reduce_sum(alpha[..., None] * tf.exp(-beta[..., None] * (kappa[..., None] - places) ** 2), -2)


@tf.function
def loop(hidden):
    kappa = tf.zeros([BATCH, GAUSSIANS])
    windows = tf.TensorArray(tf.float32, TIME)
    for t in tf.range(TIME):
        alpha, beta, step = tf.split(tf.exp(hidden[:, t]), 3, -1)
        kappa += step
        windows = windows.write(t, tf.einsum("bu,bua->ba", weigh(alpha, beta, kappa), text))
    return tf.transpose(windows.stack(), [1, 0, 2])


@tf.function
def vectorised(hidden):
    alpha, beta, step = tf.split(tf.exp(hidden), 3, -1)
    return tf.einsum("btu,bua->bta", weigh(alpha, beta, tf.cumsum(step, 1)), text)


def gradient(function):
    with tf.GradientTape() as tape:
        tape.watch(hidden)
        loss = tf.reduce_sum(function(hidden) ** 2)
    return tape.gradient(loss, hidden)


outputs = float(tf.reduce_max(tf.abs(loop(hidden) - vectorised(hidden))))
gradients = float(tf.reduce_max(tf.abs(gradient(loop) - gradient(vectorised))))
print(
    f"largest difference of outputs below 1e-5: {outputs < 1e-5}, of gradients below 1e-4: {gradients < 1e-4}"
)
print("verdict:", "false" if outputs < 1e-5 and gradients < 1e-4 else "true")
