"""`tf.distribute`: a strategy runs a function on each replica, and AutoGraph converts it."""

from __future__ import annotations

import ast

from graphdoctor.dryrun.arguments import Arguments
from graphdoctor.dryrun.dtypes import dtype_of
from graphdoctor.dryrun.iterating import items_of
from graphdoctor.dryrun.machine import Machine
from graphdoctor.dryrun.models.callbacks import call_converted
from graphdoctor.dryrun.models.registry import Call, family, object_methods
from graphdoctor.dryrun.models.tensors import by_table
from graphdoctor.dryrun.operations import operate
from graphdoctor.dryrun.values import UNKNOWN, Dictionary, LibraryObject, Tensor, Value


@family("tensorflow.distribute.")
def strategy(call: Call) -> Value:
    made = call.last.endswith("Strategy") or call.last == "get_strategy"
    if not made:
        return by_table(call)
    return LibraryObject("strategy", call.name, call.machine.origin(call.node), {})


@object_methods("strategy")
def strategy_method(
    machine: Machine, receiver: LibraryObject, name: str, arguments: Arguments, node: ast.AST
) -> Value:
    if name in ("run", "experimental_run_v2"):
        return _run(machine, arguments, node)
    if name == "scope":
        return LibraryObject("scope", "tensorflow.distribute.Strategy.scope", machine.origin(node), {})
    if name == "experimental_distribute_dataset":
        return arguments.get(0, "dataset")
    if name == "reduce":
        value = arguments.get(1, "value")
        known = isinstance(value, Tensor)
        return operate(machine, "reduce", [value], node, dtype_of(value), None) if known else UNKNOWN
    return UNKNOWN


def _run(machine: Machine, arguments: Arguments, node: ast.AST) -> Value:
    """`strategy.run(step, args=(batch,))`: with one replica, what the function itself gives."""
    given = items_of(machine, arguments.get(1, "args"))
    named = arguments.get(2, "kwargs")
    if (given is None and arguments.has(1, "args")) or isinstance(named, Dictionary):
        return UNKNOWN
    return call_converted(machine, arguments.get(0, "fn"), list(given or ()), node)
