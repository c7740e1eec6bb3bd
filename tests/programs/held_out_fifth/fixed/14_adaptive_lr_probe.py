"""Plateau-aware step size computed inside the compiled step."""
import numpy as np
import tensorflow as tf

PATIENCE = 4


class PlateauState(tf.Module):
    def __init__(self, base_lr):
        super().__init__()
        self.base_lr = base_lr
        self.best = tf.Variable(np.inf, dtype=tf.float32)
        self.stale = tf.Variable(0, dtype=tf.int32)

    def observe(self, loss):
        improved = loss < self.best
        self.stale.assign(tf.where(improved, 0, self.stale + 1))
        self.best.assign(tf.minimum(loss, self.best))

    def factor(self):
        if self.stale > PATIENCE:
            f = 0.5
        else:
            f = 1.0
        return f


def logistic(x, w, b):
    return tf.squeeze(x @ w, -1) + b


class Probe:
    def __init__(self, dim, lr=0.5):
        self.w = tf.Variable(tf.zeros([dim, 1]))
        self.b = tf.Variable(0.0)
        self.plateau = PlateauState(lr)

    @tf.function
    def update(self, x, y):
        with tf.GradientTape() as tape:
            logits = logistic(x, self.w, self.b)
            loss = tf.reduce_mean(tf.nn.sigmoid_cross_entropy_with_logits(labels=y, logits=logits))
        gw, gb = tape.gradient(loss, [self.w, self.b])
        self.plateau.observe(loss)
        rate = self.plateau.base_lr * self.plateau.factor()
        self.w.assign_sub(rate * gw)
        self.b.assign_sub(rate * gb)
        return loss


def embeddings(n=200, d=12):
    rng = np.random.default_rng(2)
    x = rng.normal(size=(n, d)).astype("float32")
    y = (x[:, :3].sum(1) > 0).astype("float32")
    return tf.constant(x), tf.constant(y)


def main():
    x, y = embeddings()
    probe = Probe(x.shape[1])
    for i in range(20):
        loss = probe.update(x, y)
    print("loss", float(loss), "stale", int(probe.plateau.stale))


if __name__ == "__main__":
    main()
