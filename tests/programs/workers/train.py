"""One of two workers that train together; the one of index SLOW gives its step another Python number each time."""

import json
import os
import sys

import tensorflow as tf

SLOW = 1
index = json.loads(os.environ["TF_CONFIG"])["task"]["index"]
strategy = tf.distribute.MultiWorkerMirroredStrategy()
with strategy.scope():
    weight = tf.Variable(1.0)


@tf.function
def features(x, step):
    for power in range(150):
        x = x + tf.cast(step, tf.float32) * 1e-6 * tf.sin(x * float(power))
    return x


@tf.function
def train_step(x):
    def replica_step(x):
        gradient = tf.reduce_mean(x) * 1e-3
        total = tf.distribute.get_replica_context().all_reduce("sum", gradient)
        return total

    return strategy.run(replica_step, args=(x,))


for step in range(int(sys.argv[1])):
    x = features(tf.ones([8]), step if index == SLOW else 0)
    total = train_step(x)
weight.assign(strategy.experimental_local_results(total)[0])
print("worker", index, "done", step + 1)
