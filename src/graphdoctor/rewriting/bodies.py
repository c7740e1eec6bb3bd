"""The body of a function, as the builders of edits read it: what stands around each node."""

import ast
from collections.abc import Iterator

from graphdoctor.source.functions import Function
from graphdoctor.source.module import Module
from graphdoctor.source.scopes import Scope


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
