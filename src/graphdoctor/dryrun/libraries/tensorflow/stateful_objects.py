"""Objects around variables that are no layers: lookup tables, random generators, averages, checkpoints."""

import ast

from graphdoctor.dryrun.core.arguments import Arguments
from graphdoctor.dryrun.core.machine import Machine
from graphdoctor.dryrun.libraries.registry import Call, function, object_methods
from graphdoctor.dryrun.libraries.tensorflow.functions import note_variable
from graphdoctor.dryrun.tracing.initial_values import ASKED, note_resource
from graphdoctor.dryrun.tracing.operations import operate
from graphdoctor.dryrun.values import NONE, TRUE, UNKNOWN, LibraryObject, Value, Variable
from graphdoctor.dryrun.values.dtypes import dtype_given, dtype_named, dtype_of, shape_given, shape_of


@function(
    "tensorflow.lookup.StaticHashTable",
    "tensorflow.lookup.StaticVocabularyTable",
    "tensorflow.lookup.experimental.DenseHashTable",
    "tensorflow.lookup.experimental.MutableHashTable",
)
def table(call: Call) -> Value:
    made = LibraryObject("table", call.name, call.origin, dict(call.arguments.keywords))
    made.cells["dtype"] = _value_dtype(call)
    return made


def _value_dtype(call: Call) -> str | None:
    """The dtype of what a table holds; None: not known. Run on 2.21."""
    if call.last == "StaticVocabularyTable":
        return "int64"
    if call.last == "StaticHashTable":
        initializer = call.get(0, "initializer")
        known = isinstance(initializer, LibraryObject) and initializer.kind == "table initializer"
        return initializer.cells["dtype"] if known else None  # type: ignore[attr-defined]
    return dtype_named(call.get(1, "value_dtype"))


@function("tensorflow.lookup.KeyValueTensorInitializer", "tensorflow.lookup.TextFileInitializer")
def initializer(call: Call) -> Value:
    made = LibraryObject("table initializer", call.name, call.origin, {})
    values = dtype_of(call.get(1, "values")) if call.last == "KeyValueTensorInitializer" else None
    made.cells["dtype"] = dtype_given(call.get(3, "value_dtype"), values)
    return made


@object_methods("table")
def table_method(
    machine: Machine, receiver: LibraryObject, name: str, arguments: Arguments, node: ast.AST
) -> Value:
    if name not in ASKED:
        return UNKNOWN
    note_resource(machine, receiver)
    if machine.graph is not None and machine.graph.xla:
        machine.log.library_call(f"{receiver.name}.{name}", node)
    if name == "size":
        return operate(machine, name, [], node, "int64", (), tensor=True)
    keys = arguments.get(0, "keys")
    dtype = receiver.cells["dtype"]
    return operate(machine, name, [keys], node, dtype, shape_of(keys), "LookupTableFind", tensor=True)


GENERATOR, AVERAGE = "random generator", "moving average"
# What a generator draws, with the dtype it has where none is given.
DRAWN = {"normal": "float32", "uniform": "float32", "truncated_normal": "float32", "binomial": "int32",
         "uniform_full_int": "uint64"}  # fmt: skip


@function(
    "tensorflow.random.Generator",
    "tensorflow.random.Generator.from_seed",
    "tensorflow.random.Generator.from_state",
    "tensorflow.random.Generator.from_key_counter",
    "tensorflow.random.Generator.from_non_deterministic_state",
    "keras.random.SeedGenerator",
)
def generator(call: Call) -> Value:
    """Its state is a variable; of Keras' generators that holds from Keras 3 on."""
    machine = call.machine
    made = LibraryObject(GENERATOR, call.name, call.origin, dict(call.arguments.keywords))
    if machine.graph is not None and (call.name.startswith("tensorflow.") or machine.module.keras == 3):
        note_variable(machine, made, call.node, GENERATOR)
    return made


@object_methods(GENERATOR)
def draw(machine: Machine, receiver: LibraryObject, name: str, arguments: Arguments, node: ast.AST) -> Value:
    if name not in DRAWN or receiver.name.startswith("keras."):
        return UNKNOWN
    dtype = dtype_given(arguments.get(1 if name == "uniform_full_int" else 3, "dtype"), DRAWN[name])
    return operate(machine, name, [], node, dtype, shape_given(arguments.get(0, "shape")), tensor=True)


@function("tensorflow.train.ExponentialMovingAverage")
def moving_average(call: Call) -> Value:
    return LibraryObject(AVERAGE, call.name, call.origin, dict(call.arguments.keywords))


@object_methods(AVERAGE)
def average(
    machine: Machine, receiver: LibraryObject, name: str, arguments: Arguments, node: ast.AST
) -> Value:
    """The first `apply` makes a variable for each that is averaged."""
    if name == "apply":
        if "__built__" not in receiver.cells:
            machine.heap.put(receiver.cells, "__built__", TRUE)
            if machine.graph is not None:
                note_variable(machine, receiver, node, AVERAGE)
        return NONE
    of = arguments.get(0, "var")
    if name == "average" and isinstance(of, Variable):
        return Variable(dtype_of(of), shape_of(of), receiver.origin, False)
    return UNKNOWN


@function("tensorflow.train.Checkpoint", "tensorflow.train.CheckpointManager")
def checkpoint(call: Call) -> Value:
    return LibraryObject("checkpoint", call.name, call.origin, dict(call.arguments.keywords))


@object_methods("checkpoint")
def checkpoint_method(
    machine: Machine, receiver: LibraryObject, name: str, arguments: Arguments, node: ast.AST
) -> Value:
    """Run on 2.21: `save` raises in a graph, `write` does not."""
    if name == "save" and machine.graph is not None:
        machine.log.library_call(f"{receiver.name}.{name}", node)
    return UNKNOWN
