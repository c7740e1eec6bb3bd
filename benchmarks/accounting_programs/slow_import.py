"""import: a module of the program's own that sleeps while it is imported, after TensorFlow."""

import tensorflow as tf
from injected import cost

with cost():
    import slow_module  # noqa: F401  # caller

for _ in range(100):
    tf.add(1.0, 2.0)
