import tensorflow as tf

IMAGES = tf.TensorSpec([None, None, None, None], tf.float32, name="images")
