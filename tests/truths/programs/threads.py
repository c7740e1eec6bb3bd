"""Several threads that call one graph function, which was traced before."""

import threading

import tensorflow as tf

weight = tf.Variable(tf.ones([3, 3]))


@tf.function
def project(x):
    return x @ weight


project(tf.ones([2, 3]))
workers = [threading.Thread(target=lambda: [project(tf.ones([2, 3])) for _ in range(5)]) for _ in range(3)]
for worker in workers:
    worker.start()
for worker in workers:
    worker.join()
