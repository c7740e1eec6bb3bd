import tensorflow as tf


@tf.function
def fun():
    print("hello")  # finds GD201


fun()
fun()
