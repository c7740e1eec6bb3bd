"""Whether a name is still read after a statement: AutoGraph asks the same before it complains."""

from __future__ import annotations

import ast
import functools

from graphdoctor.dryrun.machine import Machine


def is_read_later(machine: Machine, name: str, after: ast.stmt) -> bool:
    """Whether a name may be read after a statement, before it is set again."""
    function = machine.activation.function
    body: ast.AST = function.node if function is not None else machine.module.syntax.tree
    uses = _uses(body).get(name, ())
    end = after.end_lineno or after.lineno
    later = [stores for line, stores in uses if line > end]
    if later:
        return not later[0]
    loops = [loop.node for loop in machine.loops if loop.activation is machine.activation]
    start = min((getattr(loop, "lineno", end) for loop in loops), default=None)
    if start is None:
        return False
    again = [stores for line, stores in uses if start <= line < after.lineno]
    return bool(again) and not again[0]


@functools.lru_cache(maxsize=512)
def _uses(body: ast.AST) -> dict[str, list[tuple[int, bool]]]:
    """Every use of each name in order: its line, and whether it is set there. A line reads before it sets."""
    found: dict[str, list[tuple[int, bool]]] = {}
    for node in ast.walk(body):
        if isinstance(node, ast.Name):
            found.setdefault(node.id, []).append((node.lineno, not isinstance(node.ctx, ast.Load)))
    for uses in found.values():
        uses.sort()
    return found
