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
        """Its name and the line of its first decorator, as the observer knows it."""
        line = min([self.node.lineno, *(decorator.lineno for decorator in self.decorators)])
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
        names = (dotted_name(decorator, self.placed.scope) for decorator in self.decorators)
        return "builtins.staticmethod" in names

    @property
    def decorators(self) -> list[ast.expr]:
        """What stands behind an `@` above it."""
        return getattr(self.node, "decorator_list", [])

    def is_on(self, line: int) -> bool:
        """Whether a line is one of those from its `def` to its end."""
        return self.node.lineno <= line <= (self.node.end_lineno or self.node.lineno)

    @property
    def around(self) -> ast.AST | None:
        """The function in which it is defined."""
        scope = self.placed.scope.function
        return scope.node if scope is not None else None

    @property
    def receiver(self) -> str:
        """The parameter that gets the object of a method; empty for what is none."""
        owned = self.owner is not None and not self.is_static and self.node.args.args
        return self.node.args.args[0].arg if owned else ""

    @property
    def is_open_ended(self) -> bool:
        """Whether it takes any number of arguments."""
        return self.node.args.kwarg is not None or self.node.args.vararg is not None


def collect_functions(walk: Walk, path: str) -> dict[ast.AST, Function]:
    """Every function of the module by its node."""
    return {node: Function(node, scope, placed, path) for node, scope, placed in walk.functions}
