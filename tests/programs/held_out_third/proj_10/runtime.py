import logging

import tensorflow as tf

log = logging.getLogger("runtime")


def configure(runtime):
    """Process-wide TensorFlow switches; call once before building anything."""
    tf.config.threading.set_intra_op_parallelism_threads(runtime.threads)
    tf.config.run_functions_eagerly(runtime.debug_eager)
    log.debug("runtime configured: %s", runtime)
