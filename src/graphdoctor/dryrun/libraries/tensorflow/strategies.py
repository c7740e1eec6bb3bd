"""`tf.distribute`: what a strategy runs, and what it gives back."""

from __future__ import annotations

import ast

from graphdoctor.dryrun.core.arguments import Arguments
from graphdoctor.dryrun.core.machine import Machine
from graphdoctor.dryrun.libraries.registry import Call, family, object_methods
from graphdoctor.dryrun.values import UNKNOWN, Dictionary, LibraryObject, Sequence, Value

MAKING = ("get_strategy", "OneDeviceStrategy")
SPREADING = ("experimental_distribute_dataset",)
BUILDING = ("distribute_datasets_from_function", "experimental_distribute_datasets_from_function")
RUNNING = ("run", "experimental_run_v2")
SAME = ("experimental_local_results", "gather")


@family("tensorflow.distribute.")
def strategy(call: Call) -> Value:
    """`tf.distribute.MirroredStrategy()` and its kin."""
    if not call.last.endswith("Strategy") and call.last not in MAKING:
        return UNKNOWN
    return LibraryObject("strategy", call.name, call.machine.origin(call.node), {})


@object_methods("strategy")
def strategy_method(
    machine: Machine, receiver: LibraryObject, name: str, arguments: Arguments, node: ast.AST
) -> Value:
    if name in RUNNING:
        return _run(machine, arguments, node)
    if name == "reduce":
        return arguments.get(1, "value")
    if name in SPREADING or name in SAME:
        return arguments.get(0, "dataset" if name in SPREADING else "value")
    if name in BUILDING:
        return machine.call(arguments.get(0, "dataset_fn"), Arguments([UNKNOWN]), node)
    if name == "scope":
        return LibraryObject("scope", "tensorflow.distribute.scope", machine.origin(node), {})
    return UNKNOWN


def _run(machine: Machine, arguments: Arguments, node: ast.AST) -> Value:
    """`strategy.run(step, args=(batch,))`: the function on each replica, converted like what is around."""
    positional, named = arguments.get(1, "args", UNKNOWN), arguments.get(2, "kwargs", UNKNOWN)
    given = Arguments()
    if isinstance(positional, Sequence) and positional.items is not None:
        given.positional.extend(positional.items)
    elif arguments.has(1, "args"):
        given.loose = True
    if isinstance(named, Dictionary):
        given.keywords.update({str(key): value for key, value in named.entries.items()})
    return machine.call(arguments.get(0, "fn"), given, node)
