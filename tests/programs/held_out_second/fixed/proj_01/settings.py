"""Values that several modules share."""
import tensorflow as tf

TEMPERATURE = tf.Variable(4.0, trainable=False)
ALPHA = 0.7
EPOCHS = 4
BATCH = 32
