"""Graph functions: `tf.function`, `get_concrete_function`, the switches of graph mode, and TensorFlow 1."""

import ast
import os
import re
from collections.abc import Iterator
from typing import Any

from graphdoctor.dryrun.control.conditions import truth
from graphdoctor.dryrun.control.staged_loops import loosen
from graphdoctor.dryrun.core.arguments import Arguments, handed_on
from graphdoctor.dryrun.core.calls import of_instance
from graphdoctor.dryrun.core.context import EAGER_OFF, SourceModule
from graphdoctor.dryrun.core.machine import Machine
from graphdoctor.dryrun.libraries.registry import Call, function, methods, object_methods
from graphdoctor.dryrun.libraries.tables.names import names
from graphdoctor.dryrun.tracing.graph_function_calls import from_spec
from graphdoctor.dryrun.values import (
    FALSE,
    NONE,
    TRUE,
    UNKNOWN,
    BoundMethod,
    Constant,
    Function,
    GraphFunction,
    Instance,
    LibraryObject,
    Method,
    Partial,
    Value,
)

# Run on 2.21: in `with` of a session or of a graph placeholders work; an interactive session opens its graph.
REQUIREMENTS = ("requirements.txt", "setup.py", "pyproject.toml", "environment.yml")
PINNED_FIRST = re.compile(
    r"tensorflow(?:[-_]gpu)?['\"]?\s*(?:==|~=|<=|=|<)\s*['\"]?(?:1\b|2(?:\.0)*\s*(?:[,'\"]|$))", re.M
)
READMES = ("README.md", "README.rst", "README.txt", "README", "readme.md")
NAMED_FIRST = re.compile(r"\b(?:tensorflow|tf)[\s_-]*v?1(?:\.[\dx]+)*\b", re.I)
CONTRIB = re.compile(r"\b(?:tf|tensorflow)\.contrib\b")  # TensorFlow 2 never had it
HIGHEST = 6


@function("tensorflow.compat.v1.placeholder", "tensorflow.placeholder", "tensorflow.Session",
          "tensorflow.compat.v1.Session")  # fmt: skip
def placeholder(call: Call) -> Value:
    machine = call.machine
    if machine.graph is not None:
        machine.log.library_call(call.name, call.node)
    elif call.name == "tensorflow.compat.v1.placeholder" and _is_eager(machine):
        machine.graph_switch = EAGER_OFF  # here the program ends
        machine.log.needs_graph(call.name, call.node, _import_of_tensorflow(machine.program.root))
    return UNKNOWN


@function(
    "tensorflow.compat.v1.disable_eager_execution",
    "tensorflow.disable_v2_behavior",
    "tensorflow.InteractiveSession",
)
def disable_eager_execution(call: Call) -> Value:
    call.machine.graph_switch = EAGER_OFF
    return NONE if call.last.startswith("disable") else UNKNOWN


def _is_eager(machine: Machine) -> bool:
    """Whether the program itself comes here for certain, with nothing that may have opened a graph."""
    unsure = machine.unsure or machine.asked or machine.budget_exhausted or machine.caught
    if not machine.is_program or machine.graph_switch or unsure:
        return False
    root = machine.program.root
    return not (
        root is None or any(each.within for each in machine.activations) or _is_of_first(machine, root)
    )


def _is_of_first(machine: Machine, root: SourceModule) -> bool:
    """Whether the project is for TensorFlow 1, where nothing is eager by itself, or has a part that is."""
    if CONTRIB.search(root.syntax.text):
        return True
    read = machine.program.text_of_file
    return any(
        text is not None and pattern.search(text)
        for names, pattern in ((REQUIREMENTS, PINNED_FIRST), (READMES, NAMED_FIRST))
        for text in map(read, _files_above(root.path, names))
    )


def _files_above(path: str, names: tuple[str, ...]) -> Iterator[str]:
    folder = os.path.dirname(path)
    for _ in range(HIGHEST):
        yield from (os.path.join(folder, name) for name in names)
        if folder in ("", os.path.dirname(folder)):
            return
        folder = os.path.dirname(folder)


def _import_of_tensorflow(root: SourceModule | None) -> ast.stmt | None:
    """The first import of TensorFlow: since then all is eager."""
    for node in root.syntax.tree.body if root is not None else ():
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        if isinstance(node, ast.ImportFrom):
            names = [node.module or ""]
        if any(name.partition(".")[0] == "tensorflow" for name in names):
            return node
    return None


CALLABLE = (Function, BoundMethod, Partial, Instance, LibraryObject, GraphFunction, Method)
TRACED = "<traced>"  # the cell of a concrete function that keeps the function which was traced
OPTIONS = names("options of tf.function")


@function("tensorflow.function")
def function_(call: Call) -> Value:
    options = {name: value for name, value in call.arguments.keywords.items() if name != "func"}
    nodes = {name: node for name, node in call.arguments.nodes.items() if name in options}
    given = call.get(0, "func")
    if isinstance(given, CALLABLE):
        return make_graph_function(call.machine, given, options, call.node, nodes)
    if isinstance(given, Constant) and given.value is None:
        made = LibraryObject("graph decorator", "tensorflow.function", call.origin, options)
        made.cells["nodes"] = nodes
        return made
    if options:
        make_graph_function(call.machine, given, options, call.node, nodes)
    return UNKNOWN


@object_methods("graph decorator")
def decorator(
    machine: Machine, receiver: LibraryObject, name: str, arguments: Arguments, node: ast.AST
) -> Value:
    given = arguments.get(0, "func")
    if name == "__call__" and isinstance(given, CALLABLE):
        options, nodes = dict(receiver.arguments), receiver.cells["nodes"]
        return make_graph_function(machine, given, options, node, nodes, receiver.origin.module)
    return UNKNOWN


def make_graph_function(
    machine: Machine,
    given: Value,
    options: dict[str, Value],
    node: ast.AST,
    nodes: dict[Any, ast.AST],
    module: SourceModule | None = None,
) -> Value:
    """`tf.function(given)`; `nodes` are the expressions in `module` that gave the options."""
    made = GraphFunction(given, options, machine.origin(node))
    made.conditional = bool(machine.may or machine.sometimes)
    for loop in machine.loops:
        loop.makes.setdefault(node, set()).add(loop.iteration)
    made.switched = machine.activation.switched
    machine.log.made_function(made, node, nodes, module)
    return made


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
    made = LibraryObject("concrete function", "tensorflow.ConcreteFunction", machine.origin(node), {})
    made.cells[TRACED] = function
    return made


@function("tensorflow.executing_eagerly", "tensorflow.inside_function")
def executing_eagerly(call: Call) -> Value:
    eager = call.machine.graph is None
    return TRUE if eager == (call.last == "executing_eagerly") else FALSE


@function("tensorflow.init_scope")
def init_scope(call: Call) -> Value:
    return LibraryObject("init scope", call.name, call.origin, {})


@function("tensorflow.config.run_functions_eagerly", "tensorflow.config.experimental_run_functions_eagerly")
def run_functions_eagerly(call: Call) -> Value:
    on = truth(call.get(0, "run_eagerly"))
    machine = call.machine
    if on is not None and not machine.unsure:
        machine.eager_switch = on
    else:
        machine.activation.switched = on is True
    given = call.arguments.nodes.get(0, call.arguments.nodes.get("run_eagerly"))
    machine.log.applied("eager switch", None, call.node, on=str(on), **handed_on(machine, given))
    return NONE


@function("tensorflow.autograph.experimental.set_loop_options")
def set_loop_options(call: Call) -> Value:
    loosen(call.machine, call.get(None, "shape_invariants"))
    return NONE


@function("tensorflow.autograph.experimental.do_not_convert", "tensorflow.autograph.to_graph")
def do_not_convert(call: Call) -> Value:
    given = call.get(0, "func")
    if isinstance(given, Function) and call.last == "do_not_convert":
        given.cells["__unconverted__"] = "do-not-convert"
        return given
    return LibraryObject("identity", call.name, call.origin, {})
