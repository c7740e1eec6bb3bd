import tensorflow as tf

from orchard.session import Session

Session(seed=5).run(tf.ones([4, 8]), steps=40)
print("done")
