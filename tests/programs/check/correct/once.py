"""Python effects that are meant to happen once per trace."""

import uuid

import tensorflow as tf

warned = False
generator = None
DEBUG = False


@tf.function(jit_compile=True)
def noisy(x):
    global warned, generator
    warned = True
    if generator is None:
        generator = tf.random.Generator.from_seed(1)
    if DEBUG:
        tf.print("x", x)
    shared_name = f"buffer_{uuid.uuid4()}"
    with tf.name_scope(shared_name):
        return x + generator.normal([])
