"""The body of a function, as the builders of edits read it: what stands around each node."""

import ast
from collections.abc import Iterator

from graphdoctor.source.functions import Function
from graphdoctor.source.module import Module
from graphdoctor.source.scopes import Scope, parameters


class Body:
    """A function, and the node around each node of it."""

    def __init__(self, function: Function) -> None:
        self.function = function
        self.home: Module = function.home
        self.parents = {
            child: node for node in ast.walk(function.node) for child in ast.iter_child_nodes(node)
        }

    @property
    def scope(self) -> Scope:
        """The scope of the function."""
        return self.function.scope

    def ancestors(self, node: ast.AST) -> Iterator[ast.AST]:
        """The nodes around a node, up to the function itself."""
        current = self.parents.get(node)
        while current is not None:
            yield current
            current = self.parents.get(current)


def body_around(module: Module, node: ast.AST) -> Body | None:
    """The innermost function around a node."""
    around = [function for function in module.functions.values() if _contains(function.node, node)]
    return Body(min(around, key=lambda function: _size(function.node))) if around else None


def _contains(outer: ast.AST, inner: ast.AST) -> bool:
    return outer is not inner and _start(outer) <= _start(inner) and _end(inner) <= _end(outer)


def _start(node: ast.AST) -> tuple[int, int]:
    return getattr(node, "lineno", 0), getattr(node, "col_offset", 0)


def _end(node: ast.AST) -> tuple[int, int]:
    return getattr(node, "end_lineno", 0), getattr(node, "end_col_offset", 0)


def _size(node: ast.AST) -> tuple[int, int]:
    (first, start), (last, end) = _start(node), _end(node)
    return last - first, end - start


def own_name(body: Body) -> str | None:
    """What a method calls its own object."""
    first = next(parameters(body.function.node), None)
    return first.arg if body.function.owner is not None and not body.function.is_static and first else None
