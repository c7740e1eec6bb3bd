"""What graph functions have beside being called."""

from __future__ import annotations

import ast

from graphdoctor.dryrun.arguments import Arguments
from graphdoctor.dryrun.calling import of_instance
from graphdoctor.dryrun.machine import Machine
from graphdoctor.dryrun.models.registry import methods
from graphdoctor.dryrun.tracing import from_spec
from graphdoctor.dryrun.values import UNKNOWN, BoundMethod, GraphFunction, LibraryObject, Value


@methods(GraphFunction, BoundMethod)
def graph_function_method(
    machine: Machine, receiver: Value, name: str, arguments: Arguments, node: ast.AST
) -> Value:
    """`step.get_concrete_function(…)` traces as a call with such arguments would; later calls may fit it."""
    function = receiver.function if isinstance(receiver, BoundMethod) else receiver
    if name != "get_concrete_function" or not isinstance(function, GraphFunction):
        return UNKNOWN
    if isinstance(receiver, BoundMethod):
        function = of_instance(function, receiver.receiver)
    given = Arguments(
        [from_spec(machine, value, value, node) for value in arguments.positional],
        {key: from_spec(machine, value, value, node) for key, value in arguments.keywords.items()},
        dict(arguments.nodes),
        arguments.loose,
    )
    before = function.traces
    machine.call(receiver, given, node)
    if function.traces > before and function.relaxed:
        function.cells.setdefault("concrete", []).append(function.relaxed)
    return LibraryObject("concrete function", "tensorflow.ConcreteFunction", machine.origin(node), {})
