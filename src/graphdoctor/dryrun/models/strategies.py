"""`tf.distribute`: a strategy runs a function on each replica, as the code around it is."""

from __future__ import annotations

import ast

from graphdoctor.dryrun.arguments import Arguments
from graphdoctor.dryrun.machine import Machine
from graphdoctor.dryrun.models.registry import Call, function, object_methods
from graphdoctor.dryrun.values import UNKNOWN, Dictionary, LibraryObject, Sequence, Value

NAMES = ("MirroredStrategy", "OneDeviceStrategy", "MultiWorkerMirroredStrategy", "TPUStrategy",
         "ParameterServerStrategy", "get_strategy")  # fmt: skip


@function(*(f"tensorflow.distribute.{name}" for name in NAMES))
def strategy(call: Call) -> Value:
    return LibraryObject("strategy", call.name, call.machine.origin(call.node), {})


@object_methods("strategy")
def strategy_method(
    machine: Machine, receiver: LibraryObject, name: str, arguments: Arguments, node: ast.AST
) -> Value:
    if name == "run":
        given, keywords = arguments.get(1, "args"), arguments.get(2, "kwargs")
        positional = list(given.items or ()) if isinstance(given, Sequence) else []
        named = {str(k): v for k, v in keywords.entries.items()} if isinstance(keywords, Dictionary) else {}
        return machine.call(arguments.get(0, "fn"), Arguments(positional, named), node)
    if name == "experimental_distribute_dataset":
        return arguments.get(0, "dataset")
    return UNKNOWN
