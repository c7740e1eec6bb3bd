import tensorflow as tf

from quarry.network import Network
from quarry.updates import update

network = Network()
features, target = tf.random.normal([8, 4], seed=1), tf.ones([8, 1])
network(features)
before = [variable.numpy().copy() for variable in network.encoder.trainable_variables]
for _ in range(3):
    update(network, features, target)
moved = any((old != new.numpy()).any() for old, new in zip(before, network.encoder.trainable_variables))
print("encoder moved", moved)
