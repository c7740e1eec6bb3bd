import tensorflow as tf

from cooling.loop import Session

session = Session(tf.Variable([0.5, 0.5]))
session.run(steps=9)
