"""Every private name of TensorFlow that the witness rests on."""

import dataclasses
import sys
from collections.abc import Callable
from typing import Any

from graphdoctor.observer.instrumentation.replacing import replaced
from graphdoctor.observer.tensorflow_internals import disguise
from graphdoctor.observer.user_code.ownership import is_library


def python_function(function: Any) -> Any:
    """The user's function in a Function object."""
    from tensorflow.python.util import tf_decorator

    return tf_decorator.unwrap(function._python_function)[1]


def drawing_modules() -> tuple[Any, Any]:
    """The generated functions that draw: those with a state, and those that are given a key."""
    from tensorflow.python.ops import gen_random_ops, gen_stateless_random_ops_v2

    return gen_random_ops, gen_stateless_random_ops_v2


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


def flatten_sources(sources: Any) -> list[Any]:
    """Sources of a tape, or its gradients, one by one; what is sparse as a whole."""
    from tensorflow.python.util import nest

    return list(nest.flatten(sources))


def dense(gradient: Any) -> Any:
    """A gradient as one tensor."""
    from tensorflow.python.framework import ops

    return ops.convert_to_tensor(gradient)


def write_into(tensor: Any, array: Any) -> None:
    """Put other numbers into an eager tensor. The cache of constants may share it, and is emptied first."""
    import ctypes

    from tensorflow.python import pywrap_tfe

    numpy = sys.modules["numpy"]
    pywrap_tfe.TFE_ClearScalarCache()
    kept = numpy.asarray(memoryview(tensor))
    new = numpy.ascontiguousarray(array, dtype=kept.dtype)
    ctypes.memmove(kept.ctypes.data, new.ctypes.data, kept.nbytes)


def hook_tapes(opened: Any, watched: Any, gave: Any, stopped: Any, tensorflow: Any) -> None:
    """Hear of each tape: that it records, watches a tensor, gives gradients; and of gradients stopped."""
    from tensorflow.python.eager import backprop

    kind = backprop.GradientTape
    enter, watch, gradient = kind.__enter__, kind.watch, kind.gradient

    def witnessed_enter(self: Any) -> Any:
        result = enter(self)
        opened(self)
        return result

    def witnessed_watch(self: Any, tensor: Any) -> None:
        watched(self, tensor)
        watch(self, tensor)

    def witnessed_gradient(self: Any, target: Any, sources: Any, *args: Any, **kwds: Any) -> Any:
        result = gradient(self, target, sources, *args, **kwds)
        if not args and not kwds.keys() - {"unconnected_gradients"}:
            gave(self, target, sources, result)
        return result

    replaced(kind, "__enter__", _named_alike(witnessed_enter, enter))
    replaced(kind, "watch", _named_alike(witnessed_watch, watch))
    replaced(kind, "gradient", _named_alike(witnessed_gradient, gradient))
    for name in ("stop_gradient", "custom_gradient"):
        replaced(tensorflow, name, _announced(getattr(tensorflow, name), stopped))


def _announced(function: Any, called: Callable[[], None]) -> Any:
    def announced(*args: Any, **kwds: Any) -> Any:
        if not is_library(sys._getframe(1).f_code.co_filename):
            called()
        return function(*args, **kwds)

    return _named_alike(announced, function)


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

    def add(self, array: Any) -> None:
        """Let it hold more."""
        from tensorflow.python.framework import ops
        from tensorflow.python.ops import gen_resource_variable_ops

        amount = ops.convert_to_tensor(array, dtype=self.dtype)
        gen_resource_variable_ops.assign_add_variable_op(self.handle, amount)
