"""Functions of libraries that the interpreter runs as Python: finds them in `libraries/prelude/`."""

from __future__ import annotations

import ast
import functools
import pathlib
from typing import TYPE_CHECKING, Final

from graphdoctor.dryrun.core.context import SourceModule
from graphdoctor.dryrun.values import Function
from graphdoctor.source.module import Module as Syntax

if TYPE_CHECKING:
    from graphdoctor.dryrun.core.machine import Machine

FOLDER: Final = pathlib.Path(__file__).parent / "prelude"
NAMESPACES: Final = {"keras.ops": "keras_ops.py"}


def in_prelude(machine: Machine, name: str) -> Function | None:
    """The function of the prelude that stands for one of a library."""
    namespace, _, last = name.rpartition(".")
    if namespace not in NAMESPACES:
        return None
    syntax = _syntax(namespace)
    module = machine.program.modules.get(syntax.path)
    if module is None:
        module = machine.program.adopt(SourceModule(syntax, namespace, transparent=True))
        machine.program.load(machine, module)
    found = module.scope.cells.get(last)
    return found if isinstance(found, Function) else None


@functools.cache
def _syntax(namespace: str) -> Syntax:
    path = FOLDER / NAMESPACES[namespace]
    text = path.read_text(encoding="utf-8")
    return Syntax(str(path), text, ast.parse(text))
