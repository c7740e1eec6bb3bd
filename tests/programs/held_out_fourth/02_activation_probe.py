"""Small classifier with a probe that reports the health of hidden units."""
import numpy as np
import tensorflow as tf


class ProbeMixin:
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self._seen = {}

    def note(self, key, value):
        self._seen[key] = value
        return value

    def dead_units(self):
        report = {}
        for key, value in self._seen.items():
            active = tf.reduce_any(value > 0.0, axis=0)
            report[key] = int(tf.reduce_sum(tf.cast(~active, tf.int32)))
        return report


class Net(tf.Module):
    def __init__(self, sizes, name=None):
        super().__init__(name=name)
        init = tf.random.Generator.from_seed(1)
        self.ws = [tf.Variable(init.normal((a, b)) * 0.3) for a, b in zip(sizes, sizes[1:])]
        self.bs = [tf.Variable(tf.zeros([b])) for b in sizes[1:]]

    def note(self, key, value):
        return value

    def __call__(self, x):
        last = len(self.ws) - 1
        for i, (w, b) in enumerate(zip(self.ws, self.bs)):
            x = x @ w + b
            if i < last:
                x = self.note(f"hidden{i}", tf.nn.relu(x))
        return x


class ProbedNet(ProbeMixin, Net):
    pass


net = ProbedNet([10, 32, 16, 3])
lr = 0.1


@tf.function
def train_step(x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(
            tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=net(x)))
    for v, g in zip(net.trainable_variables, tape.gradient(loss, net.trainable_variables)):
        v.assign_sub(lr * g)
    return loss


rng = np.random.default_rng(0)
xs = rng.normal(size=(320, 10)).astype("float32")
ys = rng.integers(0, 3, 320).astype("int32")
data = tf.data.Dataset.from_tensor_slices((xs, ys)).batch(32)

for epoch in range(3):
    for x, y in data:
        loss = train_step(x, y)
    print(f"epoch {epoch} loss {float(loss):.4f} dead units {net.dead_units()}")
