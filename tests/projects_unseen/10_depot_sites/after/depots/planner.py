import keras
import tensorflow as tf

from .assignment import shares


class Planner:
    def __init__(self, options):
        self.options = options
        start = tf.random.stateless_uniform([options.depots, 2], seed=(options.seed, 0), minval=-1, maxval=1)
        self.sites = tf.Variable(start, name="sites")
        self.tariffs = tf.constant(options.tariffs[: options.depots])
        self.optimizer = keras.optimizers.SGD(options.learning_rate)

    def optimise(self, customers):
        places, demand = (tf.constant(a) for a in customers.arrays())
        for _ in range(self.options.steps):
            cost, gradient = self.gradient(places, demand)
            if gradient is not None:
                self.optimizer.apply_gradients([(gradient, self.sites)])
        return float(cost)

    def gradient(self, places, demand):
        with tf.GradientTape() as tape:
            cost = self.cost(places, demand)
        return cost, tape.gradient(cost, self.sites)

    def cost(self, places, demand):
        price = tf.linalg.matvec(shares(places, self.sites), self.tariffs)
        return tf.reduce_mean(demand * price)
