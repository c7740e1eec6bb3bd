import tensorflow as tf


class Dynamics(tf.Module):
    def __init__(self, batches, rate=0.05):
        super().__init__()
        self.w = tf.Variable(tf.zeros([4, 3]))
        self.batches = batches
        self.rate = rate

    def predict(self, s, a):
        return tf.concat([s, a], 1) @ self.w

    @tf.function
    def _update(self, s, a, target):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(self.predict(s, a) - target))
        self.w.assign_sub(self.rate * tape.gradient(loss, self.w))
        return loss, tf.reduce_sum(s)

    def update(self):
        return self._update(*map(tf.constant, next(self.batches)))
