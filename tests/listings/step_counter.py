import time

import tensorflow as tf


@tf.function
def fun(x, step):
    return 5 * x


start = time.time()
for step in range(1000):
    fun(0, step)  # finds GD101
stop = time.time()

print(stop - start)
