"""The attention loop as it is often written: fine in eager mode, broken under `tf.function`.

`python workloads/handwriting/before/attention.py` stops with an InaccessibleTensorError: the loop
over the steps becomes a TensorFlow loop, whose body is a graph of its own, and the list takes
tensors out of it. With `--eager` the same code trains. `graphdoctor check` finds the line, and
`graphdoctor check --fix --unsafe-fixes` repairs it.
"""

import sys

import tensorflow as tf

HIDDEN, CHARACTERS, COMPONENTS = 8, 5, 2


class Window(tf.Module):
    """A window that moves over the text as the strokes go on."""

    def __init__(self):
        super().__init__()
        random = tf.random.Generator.from_seed(1)
        self.kernel = tf.Variable(0.3 * random.normal([HIDDEN, 3 * COMPONENTS]))
        self.readout = tf.Variable(0.3 * random.normal([CHARACTERS, HIDDEN]))

    def look(self, hidden, position, text):
        """One step: the window at the next position."""
        raw = tf.exp(tf.matmul(hidden, self.kernel))  # [batch, 3 components]
        height, width, advance = tf.split(raw, 3, axis=1)  # [batch, components] each
        position = position + advance
        places = tf.range(tf.shape(text)[1], dtype=tf.float32)  # [text]
        distance = position[:, :, tf.newaxis] - places  # [batch, components, text]
        bells = height[:, :, tf.newaxis] * tf.exp(-width[:, :, tf.newaxis] * distance**2)
        return tf.matmul(bells, text)[:, 0], position  # [batch, characters]

    @tf.function
    def train_step(self, hiddens, text):
        """One update, by how badly the windows predict the hidden states."""
        position = tf.zeros([tf.shape(hiddens)[0], COMPONENTS])  # [batch, components]
        with tf.GradientTape() as tape:
            windows = []
            for step in tf.range(tf.shape(hiddens)[1]):
                window, position = self.look(hiddens[:, step, :], position, text)
                windows.append(window)
            read = tf.transpose(tf.stack(windows), [1, 0, 2])  # [batch, time, characters]
            predicted = tf.matmul(read, self.readout)  # [batch, time, hidden]
            loss = tf.reduce_mean((predicted - hiddens) ** 2)
        for variable, gradient in zip(
            self.trainable_variables, tape.gradient(loss, self.trainable_variables), strict=True
        ):
            variable.assign_sub(0.1 * gradient)
        return loss


def train_and_print():
    """Forty steps of training."""
    random = tf.random.Generator.from_seed(2)
    hiddens = random.normal([4, 7, HIDDEN])  # [batch, time, hidden]
    text = tf.one_hot(random.uniform([4, 6], 0, CHARACTERS, tf.int32), CHARACTERS)
    model = Window()
    losses = [float(model.train_step(hiddens, text)) for _ in range(40)]
    print(f"loss {losses[0]:.4f}, after training {losses[-1]:.4f}")


if __name__ == "__main__":
    tf.config.run_functions_eagerly("--eager" in sys.argv)
    train_and_print()
