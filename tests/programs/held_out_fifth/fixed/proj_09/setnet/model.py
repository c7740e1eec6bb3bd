import tensorflow as tf

from .pooling import AttentionPool


class SetNet(tf.Module):
    def __init__(self, feats, dim=10):
        super().__init__()
        self.w = tf.Variable(tf.random.stateless_normal([feats, dim], [5, 5]) * 0.3)
        self.pool = AttentionPool(dim)
        self.r = tf.Variable(tf.random.stateless_normal([dim, 1], [6, 6]) * 0.3)

    def __call__(self, sets):
        return tf.squeeze(self.pool(tf.tanh(sets @ self.w))[0] @ self.r, -1)

    def attention(self, sets):
        return self.pool(tf.tanh(sets @ self.w))[1]

    @tf.function
    def fit_step(self, sets, y):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(self(sets) - y))
        for v, g in zip(self.trainable_variables, tape.gradient(loss, self.trainable_variables)):
            v.assign_sub(0.1 * g)
        return loss
