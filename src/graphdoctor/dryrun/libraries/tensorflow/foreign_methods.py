"""Methods of Python's texts and of NumPy's arrays that a tensor has not."""

from __future__ import annotations

import ast

from graphdoctor.dryrun.control.staging import is_symbolic
from graphdoctor.dryrun.core.machine import Machine
from graphdoctor.dryrun.values import Tensor, Value

# Run on 2.21: a symbolic tensor raises AttributeError for each of them.
OF_TEXTS = frozenset((
    "split", "rsplit", "lower", "upper", "strip", "lstrip", "rstrip", "startswith", "endswith", "replace",
    "decode", "encode", "splitlines", "title", "isdigit", "zfill",
))  # fmt: skip
# These a tensor has once the program asks for NumPy's behaviour.
OF_ARRAYS = frozenset((
    "astype", "reshape", "mean", "sum", "max", "min", "std", "var", "copy", "flatten", "ravel", "clip",
    "transpose", "squeeze", "dot", "argmax", "argmin", "any", "all", "cumsum", "prod", "repeat", "argsort",
    "nonzero", "swapaxes", "round",
))  # fmt: skip


def note_foreign_method(machine: Machine, receiver: Value, name: str, node: ast.AST) -> None:
    """Write down that a tensor is asked for a method that only values have."""
    if not isinstance(receiver, Tensor) or receiver.supposed or not is_symbolic(machine, receiver):
        return
    if name in OF_TEXTS or (name in OF_ARRAYS and not machine.program.gives_to_tensors(name)):
        called = node.func if isinstance(node, ast.Call) else None
        given = called.value if isinstance(called, ast.Attribute) else None
        machine.log.use("method", node, receiver, name, given)
