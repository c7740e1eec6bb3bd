"""Every private name of TensorFlow that the gradient probe rests on, and nothing else.

Read and run on TensorFlow 2.21.
"""

import sys
import threading
from collections.abc import Callable, Iterator
from types import NoneType
from typing import Any

from graphdoctor.observer.tensorflow_internals import disguise
from graphdoctor.observer.tensorflow_internals import executing_eagerly as executing_eagerly

TAPE_MODULE = "tensorflow.python.eager.backprop"
SYMBOLIC_MODULE = "tensorflow.python.ops.gradients_util"
OPTIMIZER_MODULE = "keras.src.optimizers.base_optimizer"
# Registered with a gradient function that answers None for every input.
NONE_GRADIENT = frozenset(
    {"ArgMax", "ArgMin", "Floor", "Ceil", "Round", "Rint", "FloorDiv", "TruncateDiv", "StopGradient"}
)


def now() -> int:
    """A number greater than that of every tensor there is, and smaller than any to come."""
    from tensorflow.python.framework import ops

    return int(ops.uid())


def number(tensor: Any) -> int:
    """The number of a tensor, or of a variable's handle: unique in this process, never used again."""
    handle = getattr(tensor, "handle", None)
    return int((tensor if handle is None else handle)._id)


def is_eager(tensor: Any) -> bool:
    """Whether a tensor holds a value, rather than standing for one in a graph."""
    from tensorflow.python.framework import ops

    handle = getattr(tensor, "handle", None)
    return isinstance(tensor if handle is None else handle, ops.EagerTensor)


def graph_of(tensor: Any) -> Any:
    """The graph a symbolic tensor belongs to."""
    return tensor.graph


def current_graph() -> Any:
    """The graph being built, None in eager code."""
    from tensorflow.python.framework import ops

    return None if executing_eagerly() else ops.get_default_graph()


def is_function_graph(graph: Any) -> bool:
    """Whether a graph is that of a traced function."""
    from tensorflow.python.framework import func_graph

    return isinstance(graph, func_graph.FuncGraph)


def captures(graph: Any) -> Iterator[tuple[Any, Any]]:
    """The tensors a function takes from outside, and what stands for them inside."""
    for outer, inner in graph.captures:
        if hasattr(outer, "_id"):
            yield outer, inner


def functions_of(operation: Any, attribute: str, graph: Any) -> list[Any]:
    """The graphs of the functions that an operation calls, where they still carry the user's lines."""
    try:
        value = operation.get_attr(attribute)
    except ValueError:
        return []
    found = []
    for function in value if isinstance(value, list) else [value]:
        atomic = graph._get_function(function.name)
        inside = getattr(atomic, "_cached_graph", None)
        if inside is None:
            return []
        found.append(inside)
    return found


def has_custom_gradient(operation: Any) -> bool:
    """Whether `tf.custom_gradient` made this operation."""
    if operation.type not in ("IdentityN", "Identity"):
        return False
    try:
        return bool(operation.get_attr("_gradient_op_type").startswith(b"CustomGradient"))
    except ValueError:
        return False


def gives_no_gradient(kind: str) -> bool:
    """Whether the gradient of this kind of operation is None by its registration."""
    from tensorflow.python.framework import ops

    if kind in NONE_GRADIENT:
        return True
    try:
        return ops.gradient_registry.lookup(kind) is None
    except LookupError:
        return False


def watched_variables(tape: Any) -> list[int]:
    """The numbers of the variables that a tape watches."""
    return [number(variable) for variable in tape.watched_variables()]


def replace_tape_methods(replacements: dict[str, Callable[..., Any]]) -> Callable[[], None]:
    """Put functions in the place of GradientTape's methods; returns the undoing.

    Each is made by its replacement from the original, and stands, for tracebacks, where that stood.
    """
    from tensorflow.python.eager import backprop

    originals = {name: getattr(backprop.GradientTape, name) for name in replacements}
    for name, make in replacements.items():
        wrapped = disguise(make(originals[name]), _plain(originals[name]))
        setattr(backprop.GradientTape, name, _named_like(wrapped, originals[name]))

    def undo() -> None:
        for name, original in originals.items():
            setattr(backprop.GradientTape, name, original)

    return undo


def replace_symbolic_gradients(make: Callable[..., Any]) -> Callable[[], None]:
    """Put a function in the place of the one behind `tf.gradients`; returns the undoing."""
    from tensorflow.python.ops import gradients_util

    return _replace(gradients_util, "_GradientsHelper", make)


def replace_filter(make: Callable[..., Any]) -> Callable[[], None]:
    """Put a method in the place of the one by which Keras drops variables without a gradient."""
    base_optimizer = sys.modules[OPTIMIZER_MODULE]  # Keras is there, or there is no optimizer

    return _replace(base_optimizer.BaseOptimizer, "_filter_empty_gradients", make)


def _replace(owner: Any, name: str, make: Callable[..., Any]) -> Callable[[], None]:
    original = getattr(owner, name)
    setattr(owner, name, _named_like(disguise(make(original), _plain(original)), original))
    return lambda: setattr(owner, name, original)


def _plain(method: Any) -> Any:
    while not hasattr(method, "__code__"):
        method = method.__wrapped__
    return method


def _named_like(wrapped: Any, original: Any) -> Any:
    """By its module AutoGraph knows that it must not convert a function."""
    wrapped.__module__ = original.__module__
    wrapped.__name__, wrapped.__qualname__ = original.__name__, original.__qualname__
    wrapped.__doc__, wrapped.__wrapped__ = original.__doc__, original
    return wrapped


class EagerHooks:
    """What hears of the eager operations of one thread while it is installed.

    `operation(kind, inputs, outputs)` after each operation, `calling(graph)` before a traced function
    runs, `recorded(outputs, inputs)` when a gradient of the user's own is put on the tapes,
    `escaped(tensor)` when a value is handed to Python.
    """

    def __init__(
        self,
        operation: Callable[[str, Any, Any], None],
        calling: Callable[[Any], None],
        recorded: Callable[[Any, Any], None],
        escaped: Callable[[Any], None],
    ) -> None:
        self.operation = operation
        self.calling = calling
        self.recorded = recorded
        self.escaped = escaped
        self.thread = threading.get_ident()

    def _callback(
        self, kind: Any, inputs: Any, attributes: Any, outputs: Any, op_name: Any = None, graph: Any = None
    ) -> Any:
        if graph is None:
            self.operation(kind.decode() if isinstance(kind, bytes) else kind, inputs, outputs)
        # While a graph is built TensorFlow returns what we return, a tuple where its callers expect a list.
        return None if len(self._callbacks) == 1 else outputs

    def install(self) -> None:
        """Start to hear; in the thread that is to be heard."""
        from tensorflow.python.eager import context, execute
        from tensorflow.python.framework import op_callbacks

        self._callbacks = context.context().op_callbacks
        self._bound = self._callback
        with _lock:
            if not _hearing:
                _replace_functions()
            _hearing.append(self)
        op_callbacks.add_op_callback(self._bound)
        if not executing_eagerly():  # then TensorFlow leaves the slower way of running operations as it is
            execute.execute = execute.execute_with_callbacks

    def remove(self) -> None:
        """Stop; in the same thread."""
        if self._bound in self._callbacks:
            self._callbacks.remove(self._bound)
        with _lock:
            _hearing.remove(self)
            if not _hearing:
                _restore_functions(keep_callbacks=bool(self._callbacks))


_lock = threading.Lock()
_hearing: list[EagerHooks] = []  # those of several threads share one set of replaced functions
_replaced: list[tuple[Any, str, Any]] = []


def _here() -> list[EagerHooks]:
    thread = threading.get_ident()
    return [hooks for hooks in tuple(_hearing) if hooks.thread == thread]


def _replace_functions() -> None:
    from tensorflow.python.eager import execute, record
    from tensorflow.python.eager.polymorphic_function import atomic_function
    from tensorflow.python.framework import ops

    _replaced.append((execute, "execute", execute.execute))  # `add_op_callback` replaces this one
    call_flat, record_operation = atomic_function.AtomicFunction.call_flat, record.record_operation
    to_numpy = ops._EagerTensorBase._numpy

    def calling_call_flat(function: Any, *arguments: Any) -> Any:
        for hooks in _here():
            hooks.calling(getattr(function, "_cached_graph", None))
        return call_flat(function, *arguments)

    def remembering_record_operation(*arguments: Any, **options: Any) -> Any:
        for hooks in _here() if len(arguments) > 2 else ():
            hooks.recorded(arguments[1], arguments[2])
        return record_operation(*arguments, **options)

    def telling_numpy(tensor: Any) -> Any:
        for hooks in _here():
            hooks.escaped(tensor)
        return to_numpy(tensor)

    for owner, name, original, replacement in (
        (atomic_function.AtomicFunction, "call_flat", call_flat, calling_call_flat),
        (record, "record_operation", record_operation, remembering_record_operation),
        (ops._EagerTensorBase, "_numpy", to_numpy, telling_numpy),
    ):
        setattr(owner, name, _named_like(disguise(replacement, original), original))
        _replaced.append((owner, name, original))


def _restore_functions(keep_callbacks: bool) -> None:
    """Put the originals back, but leave TensorFlow its way of calling back if somebody else uses it."""
    while _replaced:
        owner, name, original = _replaced.pop()
        if name != "execute" or not keep_callbacks:
            setattr(owner, name, original)


def flatten(structure: Any) -> list[Any]:
    """The leaves of a nested structure, as `tape.gradient` sees them."""
    from tensorflow.python.util import nest

    return list(nest.flatten(structure))


def flat_answer(answer: Any) -> list[Any]:
    """The gradients that a tape gave; a plain list as it is, which costs next to nothing."""
    if type(answer) is list and all(
        hasattr(kind, "dtype") or kind is NoneType for kind in set(map(type, answer))
    ):
        return answer
    return flatten(answer)
