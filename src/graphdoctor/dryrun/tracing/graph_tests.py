"""Tests that TensorFlow's own decorators run in a graph as well: what they call is traced there.

Such a test passes in graphs, so that nothing in it raises; and its graph is made for one run, so that what
Python does meanwhile is done as often as the test runs. What is left to report is what a graph does
differently without a word: texts that hold a tensor's name, and handlers of errors that come later.
"""

from __future__ import annotations

import ast

from graphdoctor.dryrun.core.arguments import Arguments, parameter_names
from graphdoctor.dryrun.core.machine import Machine
from graphdoctor.dryrun.tracing.graph_function_calls import in_trace
from graphdoctor.dryrun.values import FALSE, UNKNOWN, BoundMethod, Function, GraphFunction, Value
from graphdoctor.recording.format import ASSUMED, SHOWN

IN_GRAPHS = frozenset((
    "run_all_in_graph_and_eager_modes", "run_in_graph_and_eager_modes", "run_deprecated_v1", "run_v1_only",
    "deprecated_graph_mode_only", "test_graph_and_eager_modes", "test_graph_mode_only",
    "test_all_tf_execution_regimes", "run_all_in_graph_mode",
))  # fmt: skip


def runs_in_graph(function: Function) -> bool:
    """Whether a function is a test that a decorator of its own, or of its class, runs in a graph."""
    owner = function.owner
    if owner is None or not function.name.startswith("test"):
        return False
    decorators = [
        each for node in (function.node, owner.node) for each in getattr(node, "decorator_list", ())
    ]
    return any(_last_name(each) in IN_GRAPHS for each in decorators)


def _last_name(node: ast.expr) -> str:
    called = node.func if isinstance(node, ast.Call) else node
    return str(getattr(called, "attr", getattr(called, "id", "")))


def run_in_graph(machine: Machine, method: BoundMethod, function: Function) -> None:
    """Run a test in a graph that nobody converts."""
    traced = GraphFunction(method, {"autograph": FALSE}, machine.origin(function.node))
    values: list[Value] = [UNKNOWN] * (len(parameter_names(function)) - 1)

    def run() -> Value:
        assert machine.graph is not None
        machine.graph.tested = True
        return machine.call(method, Arguments(values), function.node)

    machine.evidence = ASSUMED
    try:
        in_trace(machine, traced, run, 0, True, function.node)
    finally:
        machine.evidence = SHOWN
