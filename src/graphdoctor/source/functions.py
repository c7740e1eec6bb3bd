"""The functions of a module."""

import ast
import dataclasses
from typing import TYPE_CHECKING

from graphdoctor.model import FunctionRef
from graphdoctor.source.names import dotted_name
from graphdoctor.source.scopes import FunctionNode, Placed, Scope, Walk

if TYPE_CHECKING:
    from graphdoctor.source.module import Module


@dataclasses.dataclass(eq=False, slots=True)
class Function:
    """A function, method or lambda of the module."""

    node: FunctionNode
    scope: Scope
    placed: Placed
    path: str

    @property
    def ref(self) -> FunctionRef:
        """Its name and the line of its first decorator, as the running half knows it."""
        decorators = getattr(self.node, "decorator_list", [])
        line = min([self.node.lineno, *(decorator.lineno for decorator in decorators)])
        return FunctionRef(name=self.scope.name, path=self.path, line=line)

    @property
    def home(self) -> "Module":
        """The module it is defined in."""
        assert self.scope.home is not None
        return self.scope.home

    @property
    def name(self) -> str:
        """Its own name, without the classes and functions around it."""
        return getattr(self.node, "name", "<lambda>")

    @property
    def owner(self) -> ast.ClassDef | None:
        """The class of which this is a method."""
        node = self.placed.scope.node
        return node if isinstance(node, ast.ClassDef) else None

    @property
    def returns(self) -> list[ast.Return]:
        """Its own `return` statements."""
        found: list[ast.Return] = []
        waiting: list[ast.AST] = list(self.node.body) if isinstance(self.node.body, list) else []
        while waiting:
            node = waiting.pop()
            if isinstance(node, ast.Return):
                found.append(node)
            elif not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.expr):
                waiting.extend(ast.iter_child_nodes(node))
        return found

    @property
    def is_static(self) -> bool:
        """Whether a method takes no `self`."""
        decorators = getattr(self.node, "decorator_list", [])
        return any(dotted_name(d, self.placed.scope) == "builtins.staticmethod" for d in decorators)


def collect_functions(walk: Walk, path: str) -> dict[ast.AST, Function]:
    """Every function of the module by its node."""
    return {node: Function(node, scope, placed, path) for node, scope, placed in walk.functions}
