"""What the account of time takes from TensorFlow and Keras: what their files do, and the few hooks.

Read and run on TensorFlow 2.16 to 2.21 and Keras 3. A file that is not known counts as eager operations
(TensorFlow) or as other Python, and a hook that cannot be placed is said to be missing.
"""

import functools
import importlib
import sys
import weakref
from collections.abc import Callable, Iterator
from typing import Any

from graphdoctor.observer.instrumentation.replacing import class_defining
from graphdoctor.observer.tensorflow_internals import disguise
from graphdoctor.recording.format import (
    BUILDING,
    CALLBACKS,
    DEVICE_WAIT,
    EAGER_OPERATIONS,
    GRAPH_EXECUTION,
    INPUT,
    OTHER_PYTHON,
    SAVING,
    TRACING,
)

ITERATORS = "tensorflow.python.data.ops.iterator_ops"
CALLBACK_LISTS = ("keras.src.callbacks.callback_list", "tf_keras.src.callbacks")
CHECKPOINTS = "tensorflow.python.checkpoint.checkpoint"
KERAS_SAVING = "keras.src.saving.saving_api"
SAVED_MODELS = "tensorflow.python.saved_model.save"
TRAINERS = "keras.src.backend.tensorflow.trainer"
TAPES = "tensorflow.python.eager.backprop"
PROFILER = "tensorflow.python.profiler.profiler_v2"
# What the runtime calls the work of a graph that waits for the next element of a dataset; the second one
# stands in the loops of `steps_per_execution` above 1.
WAITING_FOR_INPUT = (b"IteratorGetNextOp::DoCompute", b"IteratorGetNextAsOptionalOp::DoCompute")
PULLS_INPUT = "IteratorGetNext"

# Stages that no line of the program asks for, and those that are not named after their method.
UNSEEN_STAGES = {"_OptionsDataset", "_ModelDataset", "_OptimizeDataset", "DistributedDatasetV1"}
STAGES = {"_TensorSliceDataset": "from_tensor_slices", "_TensorDataset": "from_tensors"}
MOST_SMALL = 16  # numbers in an array that is no part of the memory's growth
# Operations of a pipeline that run Python, one element at a time.
GENERATES = "GeneratorDataset"
RUNS_PYTHON = ("EagerPyFunc", "PyFunc", "PyFuncStateless")

SYNCHRONISING = {
    "_numpy", "numpy", "__array__", "__float__", "__int__", "__bool__", "__index__", "__format__", "__str__",
    "__repr__", "numpy_text", "value_text", "__complex__",
}  # fmt: skip
CALLING = {
    "__call__", "_call", "call_function", "_call_flat", "call_flat", "call_preflattened", "_call_impl",
}  # fmt: skip
READYING_LAYERS = {
    "symbolic_call", "_maybe_build", "build_wrapper", "_symbolic_build", "_maybe_symbolic_build",
    "build_from_config",
}  # fmt: skip
SYMBOLIC = "tensorflow/python/framework/func_graph.py"
# By the file below `tensorflow/`, or a folder of it: the functions, where not all of it; and the phase.
TENSORFLOW: tuple[tuple[str, Any, str], ...] = (
    ("python/eager/polymorphic_function/tracing_compilation.py", {"_create_concrete_function"}, TRACING),
    ("python/eager/polymorphic_function/", {"_initialize"}, TRACING),
    ("python/eager/polymorphic_function/", CALLING, GRAPH_EXECUTION),
    ("python/framework/func_graph.py", {"func_graph_from_py_func"}, TRACING),
    ("python/eager/context.py", {"call_function"}, GRAPH_EXECUTION),
    ("python/eager/context.py", {"async_wait", "sync_executors", "wait"}, DEVICE_WAIT),
    ("python/framework/ops.py", SYNCHRONISING, DEVICE_WAIT),
    ("python/framework/tensor.py", SYNCHRONISING, DEVICE_WAIT),
    ("python/ops/resource_variable_ops.py", SYNCHRONISING - {"__repr__", "__str__"}, DEVICE_WAIT),
    ("python/data/", None, INPUT),
    ("python/distribute/input_lib.py", {"get_next", "__next__", "__iter__"}, INPUT),
    ("python/checkpoint/", None, SAVING),
    ("python/saved_model/", None, SAVING),
    ("python/training/saving/", None, SAVING),
    ("python/ops/summary_ops_v2.py", None, CALLBACKS),
    ("python/ops/logging_ops.py", {"print_v2"}, CALLBACKS),
    ("", None, EAGER_OPERATIONS),
)
KERAS: tuple[tuple[str, Any, str], ...] = (
    ("callbacks/", None, CALLBACKS),
    ("utils/progbar.py", None, CALLBACKS),
    ("utils/io_utils.py", None, CALLBACKS),
    ("saving/", None, SAVING),
    ("export/", None, SAVING),
    ("trainers/data_adapters/", None, INPUT),
    ("trainers/epoch_iterator.py", None, INPUT),
    ("trainers/trainer.py", {"compile"}, BUILDING),
    ("", READYING_LAYERS, BUILDING),
    *((f"{folder}/", {"__init__", "__new__", "build"}, BUILDING) for folder in
      ("layers", "models", "optimizers", "losses", "metrics", "initializers", "backend")),
    ("ops/operation.py", {"__new__"}, BUILDING),
    ("trainers/", None, OTHER_PYTHON),
    ("backend/tensorflow/trainer.py", None, OTHER_PYTHON),
    ("", None, EAGER_OPERATIONS),
)  # fmt: skip
# Keras has a folder `tensorflow` of its own: its root is looked for first.
ROOTS = (("/keras/src/", KERAS), ("/tf_keras/src/", KERAS), ("/tensorflow/", TENSORFLOW))


def is_keras(path: str) -> bool:
    """Whether a file is Keras' own."""
    return any(root in path for root, table in ROOTS if table is KERAS)


def phase_of_code(path: str, function: str) -> str | None:
    """The phase of a function of TensorFlow or Keras; None for any other library's."""
    path = path.replace("\\", "/")
    for root, table in ROOTS:
        _, found, inner = path.rpartition(root)
        if found:
            for start, functions, phase in table:
                if inner.startswith(start) and (functions is None or function in functions):
                    return phase
    return None


def replace(owner: Any, name: str, make: Callable[[Any], Any]) -> Callable[[], None]:
    """Put what `make` makes of a method of a class, or of a function of a module, in its place."""
    original = owner.__dict__[name]
    replacement = make(original)
    setattr(owner, name, replacement)

    def undo() -> None:
        if owner.__dict__.get(name) is replacement:
            setattr(owner, name, original)

    return undo


def iterator_methods(module: Any) -> Iterator[tuple[Any, str]]:
    """The methods that make an iterator of a dataset in eager code."""
    yield module.OwnedIterator, "_create_iterator"


def creating_method(module: Any) -> tuple[Any, str]:
    """What is handed the dataset of a new iterator, in eager code."""
    return module.OwnedIterator, "_create_iterator"


def stages_of(dataset: Any, most: int) -> list[Any]:
    """A dataset and those that it is made of, the last stage first; what TensorFlow adds itself left out."""
    found: list[Any] = []
    waiting = [dataset]
    while waiting and len(found) < most:
        one = waiting.pop(0)
        if type(one).__name__ not in UNSEEN_STAGES:
            found.append(one)
        waiting += one._inputs()
    return found


def describe_stage(dataset: Any) -> tuple[str, Any, bool]:
    """The method that made a stage, the code of the user's function in it, whether that runs in Python."""
    kind = type(dataset)
    name = STAGES.get(kind.__name__) or _method_of(kind)
    wrapper = getattr(dataset, "_map_func", None) or getattr(dataset, "_predicate", None)
    if wrapper is None:
        return name, None, False
    function: Any = getattr(wrapper, "_func", None)
    while hasattr(function, "__wrapped__") or isinstance(function, functools.partial):
        function = getattr(function, "__wrapped__", None) or function.func
    concrete = getattr(wrapper, "function", None)
    kinds = {operation.type for operation in concrete.graph.get_operations()} if concrete is not None else ()
    if GENERATES in kinds:
        return "from_generator", None, True
    return name, getattr(function, "__code__", None), any(one in RUNS_PYTHON for one in kinds)


def is_parallel(dataset: Any) -> bool:
    """Whether several elements of a stage are made at once."""
    return type(dataset).__name__.startswith(("_Parallel", "Parallel"))


def _method_of(kind: type) -> str:
    """`_ParallelMapDataset` is made by `map`, `_TakeDataset` by `take`."""
    name = kind.__name__.strip("_").removeprefix("Parallel").removesuffix("V2").removesuffix("Dataset")
    return "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in name).strip("_")


def next_method(module: Any) -> tuple[Any, str]:
    """What waits for the next element in eager code."""
    return module.OwnedIterator, "_next_internal"


def callback_methods(module: Any) -> Iterator[tuple[Any, str]]:
    """The methods by which Keras calls all callbacks."""
    for name in list(module.CallbackList.__dict__):
        if name.startswith("on_"):
            yield module.CallbackList, name


def checkpoint_methods(module: Any) -> Iterator[tuple[Any, str]]:
    """What writes and reads a checkpoint."""
    for owner in (module.Checkpoint, module.CheckpointV1):
        for name in ("write", "save", "read", "restore"):
            if name in owner.__dict__:
                yield owner, name


def saving_functions(module: Any) -> Iterator[tuple[Any, str]]:
    """What saves and loads a Keras model."""
    for name in ("save_model", "load_model", "save_weights", "load_weights"):
        if name in module.__dict__:
            yield module, name


def saved_model_functions(module: Any) -> Iterator[tuple[Any, str]]:
    """What writes a SavedModel."""
    if "save_and_return_nodes" in module.__dict__:
        yield module, "save_and_return_nodes"


def batch_method(module: Any) -> tuple[Any, str]:
    """What trains on one batch, called by the user."""
    return class_defining(module, "train_on_batch"), "train_on_batch"


def gradient_method(module: Any) -> tuple[Any, str]:
    """What asks a tape for gradients."""
    return module.GradientTape, "gradient"


def steps_per_execution(callbacks: Any) -> int:
    """How many batches one step of `fit` takes."""
    model = getattr(callbacks, "_model", None) or getattr(callbacks, "model", None)
    return int(getattr(model, "steps_per_execution", 1) or 1)


def pulls_input(concrete: Any) -> bool:
    """Whether a graph itself waits for the next element of a dataset."""
    return any(operation.type.startswith(PULLS_INPUT) for operation in concrete.graph.get_operations())


def is_watched(concrete: Any) -> bool:
    """Whether something of ours already stands before the calls of this graph."""
    return "_call_flat" in vars(concrete)


def time_first_calls(concrete: Any, clock: Callable[[], float], report: Callable[[list[float]], None],
                     calls: int) -> None:  # fmt: skip
    """Hand the seconds of the first calls of one graph to `report`; later calls are not changed."""
    reference, original = weakref.ref(concrete), type(concrete)._call_flat
    taken: list[float] = []

    def _call_flat(tensor_inputs: Any, captured_inputs: Any) -> Any:
        begun = clock()
        result = original(reference(), tensor_inputs, captured_inputs)
        taken.append(clock() - begun)
        if len(taken) >= calls:
            function = reference()
            if function is not None:
                vars(function).pop("_call_flat", None)
            report(taken)
        return result

    concrete._call_flat = disguise(_call_flat, original)


def kinds_held() -> tuple[Callable[[type], bool], Callable[[type], bool]]:
    """Whether a class is that of traced graphs, and whether it is one of Keras' models."""
    graphs = getattr(sys.modules.get("tensorflow.python.framework.func_graph"), "FuncGraph", ())
    places = ("keras.src.models.model", "tf_keras.src.engine.training")
    known = (getattr(sys.modules.get(place), "Model", None) for place in places)
    models = tuple(model for model in known if model is not None)

    def is_kind_of(kind: type, wanted: Any) -> bool:
        return bool(wanted) and issubclass(kind, wanted)

    return (
        functools.lru_cache(None)(functools.partial(is_kind_of, wanted=graphs)),
        functools.lru_cache(None)(functools.partial(is_kind_of, wanted=models)),
    )


def is_tensor(value: Any) -> bool:
    """Whether a value is an eager tensor, a variable, or an array of NumPy with more than a few numbers."""
    kind = type(value)
    if kind.__module__ == "numpy" and kind.__name__ == "ndarray":
        return bool(value.size > MOST_SMALL)
    return kind.__name__ in ("EagerTensor", "ResourceVariable")


def accelerators() -> list[str]:
    """The devices other than processors that TensorFlow uses in this process; it is not made to look."""
    context = getattr(sys.modules.get("tensorflow.python.eager.context"), "_context", None)
    names = getattr(context, "_context_devices", None) or ()
    short = [str(name).rpartition("device:")[2] for name in names]
    return [name for name in short if name.partition(":")[0] not in ("CPU", "XLA_CPU")]


@functools.cache
def _session_class() -> Any:
    return importlib.import_module("tensorflow.python.profiler.internal._pywrap_profiler").ProfilerSession


def start_profile() -> Any:
    """A window of TensorFlow's own profiler, of the host alone; it raises where one is already open."""
    session = _session_class()()
    # Options make TensorFlow 2.21 warn that it expects other types, and change nothing: its defaults do.
    session.start("", {})
    return session


def input_seconds(profile: bytes) -> tuple[float, int]:
    """What graphs waited for input in a window, and how often."""
    seconds, times = 0.0, 0
    for field, event in _fields(profile):
        # Few of many events are waits: the others are not taken apart.
        if field == EVENTS and any(name in event for name in WAITING_FOR_INPUT):
            parts = dict(_fields(event))
            if parts.get(NAME) in WAITING_FOR_INPUT:
                seconds += parts.get(DURATION, 0) / 1e12
                times += 1
    return seconds, times


# The numbers of the fields of TensorFlow's `trace_events.proto`: durations are in picoseconds.
EVENTS, NAME, DURATION = 4, 3, 10


def _fields(message: bytes) -> Iterator[tuple[int, Any]]:
    """The fields of a serialised message by its wire format; its strings are not always UTF-8."""
    at, end = 0, len(message)
    while at < end:
        key, at = _number(message, at)
        wire = key & 7
        if wire == 0:
            value, at = _number(message, at)
            yield key >> 3, value
        else:
            length, at = {1: (8, at), 5: (4, at)}.get(wire) or _number(message, at)
            yield key >> 3, message[at : at + length]
            at += length


def _number(message: bytes, at: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        byte = message[at]
        at += 1
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            return value, at
