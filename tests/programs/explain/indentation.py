import tensorflow as tf

if True:
	def mixed(x):
	        if tf.reduce_sum(x) > 0:
	                x = x * 2
	        return x
