"""Where we are: the stack as TensorFlow keeps it, and which files of it are TensorFlow's."""

from typing import Any

FILES = "/tensorflow/python/"
PIPELINE_FILES = "/tensorflow/python/data/"
LOGGING_MODULE = "tensorflow.python.platform.tf_logging"


def stack() -> list[Any]:
    """The call stack, outermost first, with AutoGraph's generated code mapped back to the source."""
    return list(traceback())


def traceback() -> Any:
    """The call stack, as each operation keeps it."""
    from tensorflow.python.util import tf_stack

    return tf_stack.extract_stack()
