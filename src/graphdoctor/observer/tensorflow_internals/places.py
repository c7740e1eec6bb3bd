"""Where we are: the stack as TensorFlow keeps it, and which files of it are TensorFlow's."""

import re
from typing import Any

FILES = "/tensorflow/python/"
PIPELINE_FILES = "/tensorflow/python/data/"
LOGGING_MODULE = "tensorflow.python.platform.tf_logging"
# The scopes in which a tape, and `tf.gradients`, make their operations.
GRADIENT_SCOPE = re.compile(r"gradient_tape/|(.+/)?gradients(_\d+)?/")


def stack() -> list[Any]:
    """The call stack, outermost first, with AutoGraph's generated code mapped back to the source."""
    return list(traceback())


def traceback() -> Any:
    """The call stack, as each operation keeps it."""
    from tensorflow.python.util import tf_stack

    return tf_stack.extract_stack()


def is_of_gradient(operation: Any) -> bool:
    """Whether an operation was made to give a gradient, not by a line of the program.

    Where several ways lead to one tensor, a tape adds up what they give outside of its scope.
    """
    if operation.type == "AddN":
        return any(GRADIENT_SCOPE.match(tensor.op.name) for tensor in operation.inputs)
    return GRADIENT_SCOPE.match(operation.name) is not None
