"""The body of a function, as the builders of edits read it: what stands around each node."""

import ast
from collections.abc import Iterator

from graphdoctor.source.functions import Function
from graphdoctor.source.module import Module
from graphdoctor.source.scopes import Scope, parameters


class _Parents(dict[ast.AST, ast.AST]):
    """The node around each node of one module."""


def parents_of(module: Module) -> dict[ast.AST, ast.AST]:
    """The node around each node, made once for each module."""
    known = module.attached.get(_Parents)
    if not isinstance(known, _Parents):
        known = _Parents(
            (child, node) for node in ast.walk(module.tree) for child in ast.iter_child_nodes(node)
        )
        module.attached[_Parents] = known
    return known


def around(module: Module, node: ast.AST) -> Iterator[ast.AST]:
    """What stands around a node, the innermost first, the module last."""
    parents = parents_of(module)
    while (outer := parents.get(node)) is not None:
        yield outer
        node = outer


class Body:
    """A function, and the node around each node of it."""

    def __init__(self, function: Function) -> None:
        self.function = function
        self.home: Module = function.home
        self.parents = parents_of(function.home)

    @property
    def scope(self) -> Scope:
        """The scope of the function."""
        return self.function.scope

    def ancestors(self, node: ast.AST) -> Iterator[ast.AST]:
        """The nodes around a node, up to the function itself."""
        for outer in around(self.home, node) if node is not self.function.node else ():
            yield outer
            if outer is self.function.node:
                return


def body_around(module: Module, node: ast.AST) -> Body | None:
    """The innermost function around a node."""
    functions = (module.functions.get(outer) for outer in around(module, node))
    return next((Body(function) for function in functions if function is not None), None)


def own_name(body: Body) -> str | None:
    """What a method calls its own object."""
    first = next(parameters(body.function.node), None)
    return first.arg if body.function.owner is not None and not body.function.is_static and first else None
