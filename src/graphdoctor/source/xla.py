"""Which bodies are compiled by XLA."""

import ast

from graphdoctor.source.bodies import Body


def is_compiled(body: Body) -> bool:
    """Whether every way to a body begins at a function with `jit_compile=True`."""
    options = [reach.entry.traced.options if reach.entry.traced else {} for reach in body.reaches]
    return bool(options) and all(
        _is_true(given.get("jit_compile")) or _is_true(given.get("experimental_compile")) for given in options
    )


def _is_true(node: ast.expr | None) -> bool:
    return isinstance(node, ast.Constant) and node.value is True
