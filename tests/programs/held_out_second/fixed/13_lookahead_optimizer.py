"""A hand made momentum + lookahead optimizer for a small regression net."""
import numpy as np
import tensorflow as tf


class Lookahead(tf.Module):
    """Momentum whose slow weights follow every k steps."""

    def __init__(self, lr=0.05, momentum=0.9, k=5, alpha=0.5, name=None):
        super().__init__(name=name)
        self.lr, self.momentum, self.alpha = lr, momentum, alpha
        self.k = k
        self.slots = {}
        self.iteration = tf.Variable(0, dtype=tf.int64, trainable=False)

    def _slot(self, var, kind):
        key = (kind, var.ref())
        if key in self.slots:
            return self.slots[key]
        start = var if kind == "slow" else tf.zeros_like(var)
        with tf.init_scope():
            start = var if kind == "slow" else tf.zeros_like(var)
            self.slots[key] = tf.Variable(start, trainable=False)
        return self.slots[key]

    def _update(self, var, grad):
        velocity = self._slot(var, "velocity")
        slow = self._slot(var, "slow")
        velocity.assign(self.momentum * velocity + grad)
        var.assign_sub(self.lr * velocity)
        if self.iteration % self.k == 0:
            slow.assign_add(self.alpha * (var - slow))
            var.assign(slow)

    def apply(self, grads, variables):
        self.iteration.assign_add(1)
        for grad, var in zip(grads, variables):
            self._update(var, grad)


class Net(tf.Module):
    def __init__(self, sizes, seed=0):
        super().__init__()
        rng = np.random.default_rng(seed)
        self.layers = []
        for i, (a, b) in enumerate(zip(sizes[:-1], sizes[1:])):
            w = tf.Variable(rng.normal(0, (2 / a) ** 0.5, (a, b)).astype("float32"), name=f"w{i}")
            self.layers.append((w, tf.Variable(tf.zeros([b]), name=f"b{i}")))

    def __call__(self, x):
        *hidden, last = self.layers
        for w, b in hidden:
            x = tf.nn.relu(x @ w + b)
        return x @ last[0] + last[1]


def make_train_step(net, optimizer):
    @tf.function
    def train_step(x, y):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(net(x) - y))
        variables = net.trainable_variables
        optimizer.apply(tape.gradient(loss, variables), variables)
        return loss
    return train_step


def main():
    rng = np.random.default_rng(2)
    x = rng.normal(size=(128, 3)).astype("float32")
    y = np.sin(x.sum(1, keepdims=True)).astype("float32")
    net = Net([3, 16, 1])
    step = make_train_step(net, Lookahead())
    ds = tf.data.Dataset.from_tensor_slices((x, y)).batch(32).repeat(10)
    losses = [float(step(a, b)) for a, b in ds]
    print("first %.4f last %.4f" % (losses[0], losses[-1]))


if __name__ == "__main__":
    main()
