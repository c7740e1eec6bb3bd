"""`tf.lookup`: tables, and what they give in a graph."""

from __future__ import annotations

import ast

from graphdoctor.dryrun.core.arguments import Arguments
from graphdoctor.dryrun.core.machine import Machine
from graphdoctor.dryrun.libraries.registry import Call, function, object_methods
from graphdoctor.dryrun.tracing.captured_resources import ASKED, note_resource
from graphdoctor.dryrun.tracing.operations import operate
from graphdoctor.dryrun.values import UNKNOWN, LibraryObject, Value
from graphdoctor.dryrun.values.dtypes import dtype_given, dtype_named, dtype_of, shape_of


@function(
    "tensorflow.lookup.StaticHashTable",
    "tensorflow.lookup.StaticVocabularyTable",
    "tensorflow.lookup.experimental.DenseHashTable",
    "tensorflow.lookup.experimental.MutableHashTable",
)
def table(call: Call) -> Value:
    made = LibraryObject("table", call.name, call.machine.origin(call.node), dict(call.arguments.keywords))
    made.cells["dtype"] = _value_dtype(call)
    return made


def _value_dtype(call: Call) -> str | None:
    """The dtype of what a table holds; None: not known. Run on 2.21."""
    if call.last == "StaticVocabularyTable":
        return "int64"
    if call.last == "StaticHashTable":
        initializer = call.get(0, "initializer")
        return initializer.cells["dtype"] if _is_initializer(initializer) else None  # type: ignore[attr-defined]
    return dtype_named(call.get(1, "value_dtype"))


def _is_initializer(value: Value) -> bool:
    return isinstance(value, LibraryObject) and value.kind == "table initializer"


@function("tensorflow.lookup.KeyValueTensorInitializer", "tensorflow.lookup.TextFileInitializer")
def initializer(call: Call) -> Value:
    made = LibraryObject("table initializer", call.name, call.machine.origin(call.node), {})
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
