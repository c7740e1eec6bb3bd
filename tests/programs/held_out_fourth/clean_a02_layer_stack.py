"""Residual stack: the graph holds a Python loop over its few blocks."""
import numpy as np
import tensorflow as tf
import keras


class Block(tf.Module):
    def __init__(self, width, rng):
        super().__init__()
        self.w = tf.Variable(rng.normal([width, width]) * 0.1)
        self.scale = tf.Variable(1.0)

    def __call__(self, x):
        return x + self.scale * tf.nn.relu(x @ self.w)


class Stack(tf.Module):
    def __init__(self, width, depth):
        super().__init__()
        rng = tf.random.Generator.from_seed(0)
        self.blocks = [Block(width, rng) for _ in range(depth)]
        self.out = tf.Variable(rng.normal([width, 1]) * 0.1)

    def __call__(self, x):
        norms = []
        for i, block in enumerate(self.blocks):
            x = block(x)
            if i % 2 == 0:
                norms.append(tf.norm(x))
        return x @ self.out, tf.stack(norms)


model = Stack(8, depth=4)
optimizer = keras.optimizers.Adam(1e-2)


@tf.function
def train_step(x, y):
    with tf.GradientTape() as tape:
        pred, norms = model(x)
        loss = tf.reduce_mean(tf.square(pred - y))
    variables = model.trainable_variables
    grads, norm = tf.clip_by_global_norm(tape.gradient(loss, variables), 1.0)
    optimizer.apply_gradients(zip(grads, variables))
    return loss, norms


x = tf.constant(np.random.default_rng(0).normal(size=(64, 8)), tf.float32)
y = tf.reduce_sum(x[:, :2], axis=1, keepdims=True)
losses = []
for step in range(50):
    loss, norms = train_step(x, y)
    losses.append(float(loss))
print(f"{losses[0]:.4f} -> {losses[-1]:.4f}; norms {norms.numpy().round(1)}")
