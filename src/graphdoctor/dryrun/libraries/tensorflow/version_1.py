"""TensorFlow 1 inside TensorFlow 2: placeholders, and what makes the graph that they need."""

from __future__ import annotations

import ast
import os
import re
from collections.abc import Iterator

from graphdoctor.dryrun.core.context import EAGER_OFF, SourceModule
from graphdoctor.dryrun.core.machine import Machine
from graphdoctor.dryrun.libraries.registry import Call, function
from graphdoctor.dryrun.values import NONE, UNKNOWN, Value

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
