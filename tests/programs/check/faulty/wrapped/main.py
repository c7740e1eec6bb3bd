import tensorflow as tf

from .steps import evaluate

fast_evaluate = tf.function(evaluate)
