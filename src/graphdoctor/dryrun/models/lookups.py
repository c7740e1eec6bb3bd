"""`tf.lookup`: tables, and what they give in a graph."""

from __future__ import annotations

import ast

from graphdoctor.dryrun.arguments import Arguments
from graphdoctor.dryrun.dtypes import shape_of
from graphdoctor.dryrun.machine import Machine
from graphdoctor.dryrun.models.registry import Call, function, object_methods
from graphdoctor.dryrun.operations import operate
from graphdoctor.dryrun.values import UNKNOWN, LibraryObject, Value


@function(
    "tensorflow.lookup.StaticHashTable",
    "tensorflow.lookup.StaticVocabularyTable",
    "tensorflow.lookup.experimental.DenseHashTable",
    "tensorflow.lookup.experimental.MutableHashTable",
)
def table(call: Call) -> Value:
    return LibraryObject("table", call.name, call.machine.origin(call.node), dict(call.arguments.keywords))


@object_methods("table")
def table_method(
    machine: Machine, receiver: LibraryObject, name: str, arguments: Arguments, node: ast.AST
) -> Value:
    if name not in ("lookup", "size"):
        return UNKNOWN
    if machine.graph is not None and machine.graph.xla:
        machine.log.library_call(f"{receiver.name}.{name}", node)
    if name == "size":
        return operate(machine, name, [], node, "int64", (), tensor=True)
    keys = arguments.get(0, "keys")
    return operate(machine, name, [keys], node, None, shape_of(keys), "LookupTableFind", tensor=True)
