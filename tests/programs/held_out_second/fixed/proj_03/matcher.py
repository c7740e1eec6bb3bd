import tensorflow as tf

from checks import require_finite, require_probability
from ops import sinkhorn


class Matcher(tf.Module):
    def __init__(self, dim):
        super().__init__()
        self.map = tf.Variable(tf.eye(dim) + 0.1 * tf.random.stateless_normal([dim, dim], [1, 1]))

    def plan(self, a, b):
        cost = tf.reduce_sum(tf.square((a @ self.map)[:, None] - b[None]), -1)
        cost = require_finite(cost, "cost")
        return require_probability(sinkhorn(cost), "plan"), cost

    def loss(self, a, b):
        plan, cost = self.plan(a, b)
        return tf.reduce_sum(plan * cost) / tf.cast(tf.shape(a)[0], tf.float32)
