"""A two-layer network from scratch, on the two-spirals problem."""
import numpy as np
import tensorflow as tf


def spirals(n=120, seed=0):
    rng = np.random.default_rng(seed)
    t = np.sqrt(rng.random(n)) * 3.0 * np.pi
    label = rng.integers(0, 2, size=n)
    sign = np.where(label == 1, 1.0, -1.0)
    x = np.stack([sign * t * np.cos(t), sign * t * np.sin(t)], axis=1) / 10.0
    return x.astype("float32"), label.astype("float32")[:, None]


class Dense(tf.Module):
    def __init__(self, n_in, n_out, activation=None):
        super().__init__()
        self.kernel = tf.Variable(tf.random.normal([n_in, n_out], stddev=n_in ** -0.5))
        self.bias = tf.Variable(tf.zeros([n_out]))
        self.activation = activation or tf.identity

    def __call__(self, x):
        return self.activation(x @ self.kernel + self.bias)


class Net(tf.Module):
    def __init__(self, sizes):
        super().__init__()
        pairs = list(zip(sizes[:-1], sizes[1:]))
        self.layers = [Dense(a, b, tf.tanh) for a, b in pairs[:-1]]
        self.layers.append(Dense(*pairs[-1]))

    def __call__(self, x):
        for layer in self.layers:
            x = layer(x)
        return x


class Sgd:
    def __init__(self, lr=0.3, decay=1e-4):
        self.lr = lr
        self.decay = decay

    def apply(self, params, grads):
        for w, g in zip(params, grads):
            g = g + self.decay * w
            w = w - self.lr * g


tf.random.set_seed(0)
net = Net([2, 24, 24, 1])
sgd = Sgd()


@tf.function
def train(x, y):
    with tf.GradientTape() as tape:
        logits = net(x)
        loss = tf.reduce_mean(tf.nn.sigmoid_cross_entropy_with_logits(y, logits))
    sgd.apply(net.trainable_variables, tape.gradient(loss, net.trainable_variables))
    return loss


def main():
    x, y = (tf.constant(a) for a in spirals())
    for i in range(301):
        loss = train(x, y)
        if i % 100 == 0:
            acc = tf.reduce_mean(tf.cast((net(x) > 0) == (y > 0.5), tf.float32))
            print("iter %3d loss %.4f acc %.3f" % (i, float(loss), float(acc)))


if __name__ == "__main__":
    main()
