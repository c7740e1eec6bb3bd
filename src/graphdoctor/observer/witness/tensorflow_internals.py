"""Every private name of TensorFlow that the witness rests on."""

import dataclasses
from collections.abc import Callable
from typing import Any

from graphdoctor.observer.replacing import replaced
from graphdoctor.observer.tensorflow_internals import disguise


def python_function(function: Any) -> Any:
    """The user's function in a Function object."""
    from tensorflow.python.util import tf_decorator

    return tf_decorator.unwrap(function._python_function)[1]


def flatten(result: Any) -> list[Any]:
    """The leaves of what a function returned; ragged and sparse tensors by their parts."""
    from tensorflow.python.util import nest

    return list(nest.flatten(result, expand_composites=True))


def hook_calls(
    entered: Callable[[], bool], left: Callable[[Any, bool, Any, BaseException | None], None]
) -> Callable[[], None]:
    """Hear of each call of each Function object, and of what it returned; returns the undoing."""
    from tensorflow.python.eager.polymorphic_function import polymorphic_function

    kind = polymorphic_function.Function
    call = kind.__call__

    def witnessed_call(self: Any, *args: Any, **kwds: Any) -> Any:
        outermost = entered()
        try:
            result = call(self, *args, **kwds)
        except BaseException as error:
            left(self, outermost, None, error)
            raise
        left(self, outermost, result, None)
        return result

    return replaced(kind, "__call__", _named_alike(witnessed_call, call))


def hook_variables(made: Callable[[Any], None]) -> Callable[[], None]:
    """Hear of each new variable; returns the undoing."""
    from tensorflow.python.ops import resource_variable_ops

    kind = resource_variable_ops.BaseResourceVariable
    initialise = kind.__init__

    def witnessed_init(self: Any, *args: Any, **kwds: Any) -> None:
        initialise(self, *args, **kwds)
        made(self)

    return replaced(kind, "__init__", _named_alike(witnessed_init, initialise))


def _named_alike(function: Any, original: Any) -> Any:
    """The function as if it were the original, in tracebacks too."""
    disguise(function, original)
    function.__code__ = function.__code__.replace(co_name=original.__code__.co_name)
    return function


@dataclasses.dataclass(frozen=True)
class Held:
    """A variable's content."""

    name: str
    size_bytes: int
    dtype: Any
    handle: Any

    @classmethod
    def of(cls, variable: Any) -> "Held | None":
        """That of a variable outside of graphs."""
        from tensorflow.python.framework import ops
        from tensorflow.python.ops import resource_variable_ops

        handle = variable._handle
        is_view = isinstance(variable, resource_variable_ops._UnreadVariable)  # what `assign` returns
        if is_view or not isinstance(handle, ops.EagerTensor):
            return None
        elements = variable.shape.num_elements() or 0
        return cls(variable.name, elements * max(variable.dtype.size, 1), variable.dtype, handle)

    def read(self) -> Any:
        """What it holds now."""
        from tensorflow.python.ops import gen_resource_variable_ops

        return gen_resource_variable_ops.read_variable_op(self.handle, self.dtype)
