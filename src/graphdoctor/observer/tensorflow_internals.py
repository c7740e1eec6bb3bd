"""The private names of TensorFlow that the observer of traces rests on; gradients have a file of their own.

Read and run on TensorFlow 2.16 to 2.21. On a version that lacks one of them `install` falls back to
the list of callbacks for finished traces, and says what cannot be seen.
"""

import functools
import importlib
import inspect
import sys
import types
import weakref
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from graphdoctor.observer.describe import module_of
from graphdoctor.observer.replacing import replaced
from graphdoctor.recording.format import Definition

TRACING_MODULE = "tensorflow.python.eager.polymorphic_function.tracing_compilation"
TRACING_PARAMETERS = ("function_type", "type_context", "func_graph", "tracing_options")
BLIND_WITHOUT_TRACES = (
    "the seconds of a trace, failed traces, contexts, new Function objects and where a function is defined"
)
DATASET_WRAPPER = "tensorflow/python/data/ops/structured_function.py"

CONTEXT_FIELDS = {
    "parent_graph": "parent graph",
    "device_functions": "device",
    "colocation_stack": "colocation",
    "in_cross_replica_context": "distribution strategy",
    "variable_policy": "saving",
    "xla_context_id": "XLA context",
}


def describe_concrete(concrete: Any) -> dict[str, Any]:
    """The fields of a finished trace, as far as its ConcreteFunction alone tells; `arguments` are raw."""
    graph = concrete.graph
    operations = graph.get_operations()
    places = [
        (frame.filename, frame.lineno)
        for operation in operations
        for frame in operation.traceback or ()
        if frame.name == graph.name
    ]
    path, line = min(places, default=("", 0))
    return {
        "function": Definition(name=graph.name, path=path, line=line),
        "arguments": concrete.function_type.parameters,
        "operations": len(operations),
    }


def tensorflow_version() -> str:
    """The version of the TensorFlow in this process."""
    from tensorflow.python.framework import versions

    return str(versions.__version__)


class Installed(NamedTuple):
    """The hooks at work: how to take them out, and what they cannot see on this TensorFlow."""

    undo: Callable[[], None]
    blind: tuple[str, ...]


def install(
    begin: Callable[[Any, Any], Any],
    end: Callable[[Any, Any, BaseException | None, Any], None],
    asked_for: Callable[[Any], None],
    called_with_tracing: Callable[[Any, int], None],
    made: Callable[[Any], None],
) -> Installed:
    """Put functions on the path of a cache miss; a hit never meets them.

    `begin(function_type, options)` hears that a trace begins, and what it returns is handed to
    `end(begun, graph, error, concrete)`. `asked_for(function_type)` hears what was looked up before
    `reduce_retracing` generalised it. `called_with_tracing(code, forgotten)` hears how many calls
    TensorFlow's own count just dropped. `made(concrete)` hears of a finished trace, on a TensorFlow
    that lacks what the others need.
    """
    undoing: list[Callable[[], None]] = []
    blind: list[str] = []

    def attempt(what: str, hook: Callable[[], Callable[[], None]]) -> bool:
        try:
            undoing.append(hook())
        except Exception as error:
            reason = f"{type(error).__name__}: {error}"
            blind.append(f"{what} cannot be seen on TensorFlow {tensorflow_version()} ({reason})")
            return False
        return True

    if attempt(BLIND_WITHOUT_TRACES, lambda: _hook_traces(begin, end)):
        attempt("the shapes asked for under reduce_retracing", lambda: _hook_lookups(asked_for))
    else:
        attempt("any trace", lambda: _hook_callbacks(made))
    attempt("the number of calls", lambda: _hook_call_counts(called_with_tracing))

    def undo() -> None:
        while undoing:
            undoing.pop()()

    return Installed(undo, tuple(blind))


def _hook_traces(
    begin: Callable[[Any, Any], Any], end: Callable[[Any, Any, BaseException | None, Any], None]
) -> Callable[[], None]:
    tracing: Any = importlib.import_module(TRACING_MODULE)
    create = tracing._create_concrete_function
    if tuple(inspect.signature(create).parameters) != TRACING_PARAMETERS:
        raise TypeError("_create_concrete_function takes other arguments")

    def _create_concrete_function(
        function_type: Any, type_context: Any, func_graph: Any, tracing_options: Any
    ) -> Any:
        begun = begin(function_type, tracing_options)
        try:
            concrete = create(function_type, type_context, func_graph, tracing_options)
        except BaseException as error:
            end(begun, func_graph, error, None)
            raise
        end(begun, func_graph, None, concrete)
        return concrete

    tracing._create_concrete_function = disguise(_create_concrete_function, create)

    def undo() -> None:
        tracing._create_concrete_function = create

    return undo


def _hook_lookups(asked_for: Callable[[Any], None]) -> Callable[[], None]:
    from tensorflow.core.function.polymorphism import function_cache

    cache_class = function_cache.FunctionCache
    generalize = cache_class.generalize

    @functools.wraps(generalize)
    def remembering_generalize(cache: Any, context: Any, function_type: Any) -> Any:
        asked_for(function_type)
        return generalize(cache, context, function_type)

    cache_class.generalize = remembering_generalize

    def undo() -> None:
        cache_class.generalize = generalize

    return undo


def _hook_call_counts(called_with_tracing: Callable[[Any, int], None]) -> Callable[[], None]:
    from tensorflow.python.eager.polymorphic_function import polymorphic_function

    manager = polymorphic_function._FrequentTracingDetectorManager
    count = manager.called_with_tracing

    @functools.wraps(count)
    def counting_called_with_tracing(self: Any, key: Any, name: Any, omit: Any) -> None:
        before = _call_count(self, key)
        count(self, key, name, omit)
        called_with_tracing(key, before + 1 - _call_count(self, key))

    manager.called_with_tracing = counting_called_with_tracing

    def undo() -> None:
        manager.called_with_tracing = count

    return undo


def _hook_callbacks(made: Callable[[Any], None]) -> Callable[[], None]:
    from tensorflow.python.eager.polymorphic_function import transform

    callbacks = transform.CONCRETE_FUNCTION_CALLBACKS
    callbacks.append(made)
    return lambda: callbacks.remove(made)


def silence_retracing_warning() -> None:
    """Keep TensorFlow's own warning about retracing back: ours says which argument."""
    from tensorflow.python.eager.polymorphic_function import polymorphic_function

    polymorphic_function.FREQUENT_TRACING_WARNING_MAX_WARNING_PER_DETECTOR = 0


def cached_keys(options: Any) -> list[tuple[Any, str, dict[str, str]]]:
    """What this Function object was traced for before, oldest first: type, pass and context fields."""
    if options.function_cache is None:
        return []
    return [
        (function_type, context.scope_type.name, _fields_of(context.context))
        for context, function_type in list(options.function_cache._primary)
    ]


def disguise(function: Callable[..., Any], original: Callable[..., Any]) -> Callable[..., Any]:
    """The function as if it stood where the original stands.

    TensorFlow takes its own frames out of the tracebacks a user sees, by file name; ours must go too.
    For the same reason the hook runs the trace itself, and does not call a function of ours to do it.
    """
    code = original.__code__
    function.__code__ = function.__code__.replace(
        co_filename=code.co_filename, co_firstlineno=code.co_firstlineno
    )
    return function


def has_unknown_dimensions(concrete: Any) -> bool:
    """Whether one trace of this function serves inputs of several shapes."""
    captured = len(concrete.captured_inputs)
    inputs = concrete.inputs[: len(concrete.inputs) - captured]
    return any(not tensor.shape.is_fully_defined() for tensor in inputs if tensor.dtype.name != "resource")


def watch_calls(concrete: Any, watch: Callable[[Callable[[], Any], Any], Any]) -> None:
    """Let `watch(call, inputs)` carry out each call of one concrete function, and of no other."""
    reference, original = weakref.ref(concrete), type(concrete)._call_flat

    def _call_flat(tensor_inputs: Any, captured_inputs: Any) -> Any:
        function = reference()
        return watch(lambda: original(function, tensor_inputs, captured_inputs), tensor_inputs)

    concrete._call_flat = disguise(_call_flat, original)


def concrete_shapes(inputs: Any) -> str | None:
    """The shapes of eager inputs as a text; None while another function is being traced."""
    shapes = []
    for tensor in inputs:
        if not hasattr(tensor, "_shape_tuple") or not hasattr(tensor, "_numpy_internal"):
            return None
        shapes.append(tensor._shape_tuple())
    return ", ".join(str(list(shape)) for shape in shapes)


def _call_count(manager: Any, key: Any) -> int:
    detector = manager._detectors.get(key)
    return detector._call_count if detector is not None else 0


def call_count(code: types.CodeType) -> int:
    """The calls that TensorFlow still remembers of one code object (eager, top level)."""
    from tensorflow.python.eager.polymorphic_function import polymorphic_function

    return _call_count(polymorphic_function._frequent_tracing_detector_manager, code)


def call_counts() -> Iterator[tuple[Any, int]]:
    """The calls that TensorFlow still remembers of each code object (eager, top level)."""
    from tensorflow.python.eager.polymorphic_function import polymorphic_function

    manager = polymorphic_function._frequent_tracing_detector_manager
    for key, detector in list(manager._detectors.items()):
        yield key, detector._call_count


def user_function(options: Any) -> Any:
    """The Python function behind tracing options: without AutoGraph's and tf.data's wrappers."""
    from tensorflow.python.util import tf_decorator

    function = tf_decorator.unwrap(options.python_function)[1]
    return _inside_dataset_wrapper(function) or function


def is_per_instance(function: Any) -> bool:
    """Whether TensorFlow made this Function object for one instance of a class with a decorated method."""
    owner = getattr(function, "__self__", None)
    return type(owner).__name__ == "TfMethodTarget"


def _inside_dataset_wrapper(function: Any) -> Any:
    code = getattr(function, "__code__", None)
    if code is None or not code.co_filename.replace("\\", "/").endswith(DATASET_WRAPPER):
        return None
    cells = dict(zip(code.co_freevars, function.__closure__ or (), strict=True))
    wrapper = cells["self"].cell_contents if "self" in cells else None
    inner = getattr(wrapper, "_func", None)
    from tensorflow.python.util import tf_decorator

    return tf_decorator.unwrap(inner)[1] if inner is not None else None


def code_of(function: Any) -> types.CodeType | None:
    """The code object of any callable: function, method, partial, or object with `__call__`."""
    while isinstance(function, functools.partial):
        function = function.func
    while hasattr(function, "__wrapped__"):
        function = function.__wrapped__
    function = getattr(function, "__func__", function)
    if not hasattr(function, "__code__"):
        function = inspect.getattr_static(type(function), "__call__", None)
    code = getattr(function, "__code__", None)
    return code if isinstance(code, types.CodeType) else None


def qualified_name(function: Any, code: types.CodeType) -> str:
    """The qualified name without `<locals>`: `main.step`, `Trainer.step`."""
    while isinstance(function, functools.partial):
        function = function.func
    name = getattr(function, "__qualname__", None)
    if name is None:
        name = f"{type(function).__qualname__}.__call__"  # an object that can be called, as a model
    return str(name).replace("<locals>.", "")


def context_fields(options: Any) -> dict[str, str]:
    """What the cache key holds beside the arguments, as short texts that can be compared."""
    from tensorflow.python.eager.polymorphic_function import function_context

    return _fields_of(function_context.make_function_context(options.scope_type).context)


def _fields_of(context: Any) -> dict[str, str]:
    fields = {title: _context_text(getattr(context, field, None)) for field, title in CONTEXT_FIELDS.items()}
    return {title: text for title, text in fields.items() if text}


def _context_text(value: Any) -> str:
    if value is None or value is False or value == () or value == 0:
        return ""
    if isinstance(value, tuple):
        return ", ".join(_context_text(item) for item in value)
    name = getattr(value, "name", None) or getattr(value, "__name__", None)
    if type(value).__module__ == "builtins" or name is None:
        return str(value)[:200]
    return f"{type(value).__name__} {name}"


def stack() -> list[Any]:
    """The call stack, outermost first, with AutoGraph's generated code mapped back to the source."""
    return list(traceback())


def traceback() -> Any:
    """The call stack, as each operation keeps it."""
    from tensorflow.python.util import tf_stack

    return tf_stack.extract_stack()


def is_tracing() -> bool:
    """Whether this thread builds a graph."""
    from tensorflow.python.eager import context

    return not context.executing_eagerly()


@functools.cache
def _listening_detector() -> Any:
    """TensorFlow's counter of calls, with ears."""
    from tensorflow.python.eager.polymorphic_function import polymorphic_function

    detector = polymorphic_function._FrequentTracingDetector

    class ListeningDetector(detector):  # type: ignore[misc, valid-type]
        __slots__ = ("listeners",)

        def __init__(self, before: Any) -> None:
            for field in detector.__slots__:
                setattr(self, field, getattr(before, field))
            self.listeners: tuple[Callable[[], None], ...] = ()

        def called_without_tracing(self) -> None:
            detector.called_without_tracing(self)
            for heard in self.listeners:
                heard()

    return ListeningDetector


def listen_to_hits(code: types.CodeType, heard: Callable[[], None]) -> Callable[[], None]:
    """Call `heard` after each eager call of this code that needed no trace; returns the undoing.

    TensorFlow counts these calls itself, with one counter per code object; ours takes the place of
    the counter of this code only, so that all other functions run as without us.
    """
    from tensorflow.python.eager.polymorphic_function import polymorphic_function

    manager = polymorphic_function._frequent_tracing_detector_manager
    with manager._lock:
        detector = manager._get_detector(code)
        if not isinstance(detector, _listening_detector()):
            detector = manager._detectors[code] = _listening_detector()(detector)
        detector.listeners = (*detector.listeners, heard)

    def undo() -> None:
        with manager._lock:
            detector.listeners = tuple(other for other in detector.listeners if other is not heard)

    return undo


def captures_of_called_function() -> Any:
    """From within `heard`: the `function_captures` of the Function object that was called."""
    frame: types.FrameType | None = sys._getframe(1)
    while frame is not None:
        code = frame.f_code
        if code.co_name == "__call__" and code.co_filename.endswith("polymorphic_function.py"):
            return getattr(frame.f_locals.get("self"), "_function_captures", None)
        frame = frame.f_back
    return None


def belongs_to(value: Any, graph: Any) -> bool:
    """Whether a value is a symbolic tensor of this graph, or of a graph inside it (a loop's, a branch's)."""
    from tensorflow.python.framework import ops, tensor

    if not isinstance(value, tensor.Tensor) or isinstance(value, ops.EagerTensor):
        return False
    own = value.graph
    while own is not None and own is not graph:
        own = getattr(own, "outer_graph", None)
    return own is graph


def tensor_name(tensor: Any) -> str:
    """A symbolic tensor's name in its graph: `mul:0`."""
    return str(tensor.name)


def hook_hits(heard: Callable[[Any, Any], None]) -> Callable[[], None]:
    """Call `heard(concrete, function_type)` at each call that finds its trace; returns the undoing.

    This is on the path of every call, nested ones too: for `--calls` only.
    """
    from tensorflow.core.function.polymorphism import function_cache

    cache_class = function_cache.FunctionCache
    lookup = cache_class.lookup

    def hearing_lookup(cache: Any, function_type: Any, context: Any = None) -> Any:
        concrete = lookup(cache, function_type, context)
        if concrete is not None:
            heard(concrete, function_type)
        return concrete

    cache_class.lookup = disguise(hearing_lookup, lookup)

    def undo() -> None:
        cache_class.lookup = lookup

    return undo


def literals(function_type: Any) -> dict[str, Any]:
    """The Python values among the arguments that a cache key holds, by path."""
    found: dict[str, Any] = {}
    for name, parameter in function_type.parameters.items():
        _add_literals(name, parameter.type_constraint, found)
    return found


def object_arguments(function_type: Any) -> dict[str, Callable[[], Any]]:
    """The arguments that are objects of the program's, by name, as TensorFlow refers to them: weakly."""
    kinds = {name: parameter.type_constraint for name, parameter in function_type.parameters.items()}
    return {name: kind._ref for name, kind in kinds.items() if type(kind).__name__ == "Weakref"}


def _add_literals(path: str, kind: Any, found: dict[str, Any]) -> None:
    name = type(kind).__name__
    if name == "Literal":
        found[path] = kind.value
    elif name in ("List", "Tuple"):
        components = kind.components_tuple.components if name == "List" else kind.components
        for index, component in enumerate(components):
            _add_literals(f"{path}[{index}]", component, found)
    elif name == "Dict":
        for key, component in kind.mapping.items():
            _add_literals(f"{path}[{key!r}]".replace("'", '"'), component, found)


def tensor_fields(value: Any) -> tuple[str, str, tuple[int | None, ...] | None] | None:
    """Kind (tensor, variable, array), dtype and shape of a tensor of any sort; None for other values."""
    from tensorflow.python.framework import tensor
    from tensorflow.python.ops import variables

    names = {module_of(base).partition(".")[0] + "." + base.__name__ for base in type(value).__mro__}
    if isinstance(value, tensor.Tensor):
        kind = "tensor"
    elif isinstance(value, variables.Variable) or "keras.Variable" in names:
        kind = "variable"
    elif names & {"keras.KerasTensor", "tensorflow.RaggedTensor", "tensorflow.SparseTensor"}:
        kind = "tensor"
    elif "numpy.ndarray" in names:
        return "array", str(value.dtype), tuple(value.shape)
    else:
        return None
    shape = getattr(value, "shape", None)
    rank = getattr(shape, "rank", len(shape) if isinstance(shape, tuple) else None)
    dtype = getattr(value.dtype, "name", str(value.dtype))
    return kind, dtype, None if shape is None or rank is None else tuple(shape)


def is_symbolic(value: Any) -> bool:
    """Whether a value is a tensor of a graph."""
    from tensorflow.python.framework import ops, tensor

    return isinstance(value, tensor.Tensor) and not isinstance(value, ops.EagerTensor)


def is_static(value: Any) -> bool:
    """Whether a value is a shape or a dtype."""
    return type(value).__name__ in ("TensorShape", "DType", "Dimension")


def hook_converted_calls(
    called: Callable[[Any, Any, Any], None], returned: Callable[[Any], None]
) -> Callable[[], None]:
    """Call `called(function, arguments, options)` before each call that converted code makes.

    Converted code runs while a function is traced, and at no other time. `returned` hears the result.
    """
    from tensorflow.python.autograph.impl import api

    operators = api._TRANSPILER.get_extra_locals()["ag__"]
    call = operators.converted_call

    def converted_call(
        f: Any, args: Any, kwargs: Any, caller_fn_scope: Any = None, options: Any = None
    ) -> Any:
        called(f, args, kwargs)
        result = call(f, args, kwargs, caller_fn_scope, options)
        returned(result)
        return result

    return replaced(operators, "converted_call", disguise(converted_call, call))


def hook_eager_switch(module: Any, heard: Callable[[bool], None]) -> Callable[[], None]:
    """Call `heard` when `tf.config.run_functions_eagerly` is called.

    Its code is exchanged, for the function itself stands under several public names already.
    """
    switch = module.run_functions_eagerly
    code = switch.__code__

    def run_functions_eagerly(run_eagerly):  # type: ignore[no-untyped-def]
        global RUN_FUNCTIONS_EAGERLY  # TensorFlow's: the code runs among its names
        RUN_FUNCTIONS_EAGERLY = bool(run_eagerly)  # type: ignore[name-defined]
        _graphdoctor_heard(RUN_FUNCTIONS_EAGERLY)  # type: ignore[name-defined]  # noqa: F821

    if code.co_freevars or code.co_varnames[: code.co_argcount] != ("run_eagerly",):
        raise TypeError("run_functions_eagerly takes other arguments")
    module._graphdoctor_heard = heard
    switch.__code__ = run_functions_eagerly.__code__.replace(
        co_filename=code.co_filename, co_firstlineno=code.co_firstlineno
    )

    def undo() -> None:
        switch.__code__ = code

    return undo


def hook_eager_models(module: Any, heard: Callable[[Any], None]) -> Callable[[], None]:
    """Call `heard` when `run_eagerly` of a Keras model is set, as `compile` does."""
    trainer = getattr(module, "Trainer", None) or module.Model
    before = trainer.__dict__["run_eagerly"]

    def run_eagerly(model: Any, value: Any) -> None:
        before.fset(model, value)
        heard(value)

    return replaced(trainer, "run_eagerly", before.setter(run_eagerly))


def hook_construction(
    kind: Any, begin: Callable[[], Any], made: Callable[[Any, Any], None]
) -> Callable[[], None]:
    """Call `made(instance, begun)` after each construction of a class; `begun` is what `begin` gave."""
    construct = kind.__init__

    def constructed(self: Any, *arguments: Any, **options: Any) -> None:
        begun = begin()
        construct(self, *arguments, **options)
        made(self, begun)

    return replaced(kind, "__init__", functools.wraps(construct)(disguise(constructed, construct)))


def hook_first_variables(made: Callable[[Any, Any], None]) -> Callable[[], None]:
    """Call `made(variable, None)` after each variable that is made while a function is traced first."""
    from tensorflow.python.eager.polymorphic_function import polymorphic_function

    return hook_construction(polymorphic_function.UnliftedInitializerVariable, lambda: None, made)


def hook_iterators(made: Callable[[Any, Any], None]) -> Callable[[], None]:
    """Call `made(iterator, None)` each time that somebody begins to go through a dataset."""
    from tensorflow.python.data.ops import iterator_ops

    return hook_construction(iterator_ops.OwnedIterator, lambda: None, made)


def functions_of_pipeline(iterator: Any) -> Iterator[str]:
    """The names of the graphs that a dataset's iterator runs."""
    waiting = [getattr(iterator, "_dataset", None)]
    while waiting:
        dataset = waiting.pop()
        if dataset is not None:
            waiting += dataset._inputs()
            yield from (name_of(wrapper.function) for wrapper in dataset._functions())


def name_of(concrete: Any) -> str:
    """The name of a finished graph, which no other has."""
    return str(concrete.name)


def small_content(value: Any, most_bytes: int) -> object:
    """The bytes of a small eager tensor in the memory of the processor; None for others and for variables."""
    from tensorflow.python.framework import ops

    if not isinstance(value, ops.EagerTensor) or "CPU" not in (value.device or "CPU"):
        return None
    if value.dtype.size <= 0 or value.shape.num_elements() * value.dtype.size > most_bytes:
        return None
    return str(value.dtype), tuple(value.shape), value.numpy().tobytes()
