import tensorflow as tf


@tf.function
def revenue(crossing):
    demand = tf.random.stateless_uniform([32], seed=[crossing.hour, 7])
    return crossing.fare * tf.reduce_sum(demand)
