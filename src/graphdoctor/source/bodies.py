"""The body of a traced function: its own nodes, and the ways by which tracing comes to it."""

import ast
import dataclasses
import functools
from collections.abc import Iterator
from typing import TYPE_CHECKING, TypeVar

from graphdoctor.model import Related, Span
from graphdoctor.source.eager import eager_arms, is_eager_block, runs_eagerly
from graphdoctor.source.entries import Entry, Step, Way
from graphdoctor.source.functions import Function
from graphdoctor.source.kind import Kind
from graphdoctor.source.kinds import kind_of
from graphdoctor.source.names import dotted_name
from graphdoctor.source.scopes import Scope

if TYPE_CHECKING:
    from graphdoctor.source.module import Module

Node = TypeVar("Node", bound=ast.AST)
NESTED = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
BROAD = {None, "builtins.Exception", "builtins.BaseException", "builtins.AttributeError",
         "builtins.TypeError", "builtins.NotImplementedError", "builtins.ValueError"}  # fmt: skip


@dataclasses.dataclass(frozen=True, slots=True)
class Reach:
    """One way by which a function is traced: converted or not, and the chain that leads there."""

    way: Way
    chain: tuple[Step, ...]
    entry: Entry
    always: bool = True  # False when a Python `if` on the way may skip it

    def then(self, way: Way, step: Step, always: bool = True) -> "Reach":
        """The reach of what this one leads to."""
        return Reach(way, (*self.chain, step), self.entry, self.always and always)


class Body:
    """The own nodes of one traced function, without those of functions inside it and without what
    runs eagerly all the same: `tf.py_function`, `tf.init_scope`, `if tf.executing_eagerly()`.
    """

    def __init__(self, function: Function) -> None:
        self.function = function
        self.home: Module = function.home
        self.reaches: list[Reach] = []
        self.followed: list[Reach] = []
        self.parents: dict[ast.AST, ast.AST] = {}
        self.nested: list[ast.AST] = []
        self.eager_functions: set[ast.AST] = set()
        self._nodes: dict[type, list[ast.AST]] = {}
        self._scopes: dict[ast.AST, Scope] = {}
        self._guarded: set[ast.AST] = set()
        node = function.node
        for part in node.body if isinstance(node.body, list) else [node.body]:
            self.parents[part] = node
            self._collect(part, function.scope)

    @property
    def name(self) -> str:
        """The function's name, with its class."""
        return self.function.ref.name

    @property
    def scope(self) -> Scope:
        """The scope of the function."""
        return self.function.scope

    def reach(self, way: Way) -> Reach | None:
        """The reach of this way, if there is one."""
        return next((reach for reach in self.reaches if reach.way is way), None)

    @property
    def converted(self) -> bool:
        """Whether AutoGraph is known to convert it."""
        return self.reach(Way.CONVERTED) is not None

    @property
    def plain(self) -> bool:
        """Whether it is known to be traced without AutoGraph."""
        return self.reach(Way.PLAIN) is not None

    def of(self, kind: type[Node]) -> Iterator[Node]:
        """Its nodes of one type, in reading order."""
        yield from self._nodes.get(kind, ())  # type: ignore[misc]

    def scope_of(self, node: ast.AST) -> Scope:
        """The scope in which a node's names are looked up: a comprehension has its own."""
        return self._scopes.get(node, self.scope)

    def kind(self, node: ast.expr | None) -> Kind:
        """The kind of an expression of this body."""
        return kind_of(node, self.scope_of(node), 0) if node is not None else Kind.UNKNOWN

    def dotted(self, node: ast.AST) -> str | None:
        """The dotted name of an expression of this body."""
        return dotted_name(node, self.scope_of(node))

    def ancestors(self, node: ast.AST) -> Iterator[ast.AST]:
        """The nodes around a node, up to the function itself."""
        current = self.parents.get(node)
        while current is not None:
            yield current
            current = self.parents.get(current)

    def is_guarded(self, node: ast.AST) -> bool:
        """Whether an error here is caught by a `try` of this body."""
        return node in self._guarded or any(outer in self._guarded for outer in self.ancestors(node))

    def is_always_run(self, node: ast.AST) -> bool:
        """False under an `if`, a `try` or a conditional of Python's, which may guard the first call."""
        function = self.function.node
        statements = function.body if isinstance(function.body, list) else []
        inner: ast.AST = node
        for outer in self.ancestors(node):
            if isinstance(outer, ast.If) and self.kind(outer.test) is not Kind.TENSOR:
                return False
            if isinstance(outer, ast.IfExp | ast.BoolOp | ast.Try):
                return False
            if outer is function:
                before = statements[: statements.index(inner)] if inner in statements else []
                return not any(_may_leave(statement) for statement in before)
            inner = outer
        return inner is function.body

    def chain(self, way: Way | None = None) -> tuple[Related, ...]:
        """Why the function counts as traced, as places to look at."""
        reach = self.reach(way) if way is not None else None
        reach = reach or self.reaches[0]
        return tuple(related(self.home.project.span(step.path, step.node), step.text) for step in reach.chain)

    def _collect(self, node: ast.AST, scope: Scope) -> None:
        if isinstance(node, ast.If):
            self._enter(node, scope)
            self._child(node.test, node, scope)
            for arm in eager_arms(node, scope):
                for statement in arm:
                    self._child(statement, node, scope)
            return
        if isinstance(node, ast.With) and is_eager_block(node, scope):
            return
        self._enter(node, scope)
        if isinstance(node, NESTED):
            self._nested_function(node, scope)
        elif isinstance(node, ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp):
            self._comprehension(node, scope)
        elif isinstance(node, ast.Call) and runs_eagerly(node, scope):
            self._mark_eager(node, scope)
        elif not isinstance(node, ast.ClassDef):
            if isinstance(node, ast.Try) and self._catches(node, scope):
                self._guarded.update(node.body)
            for child in ast.iter_child_nodes(node):
                self._child(child, node, scope)

    def _enter(self, node: ast.AST, scope: Scope) -> None:
        self._nodes.setdefault(type(node), []).append(node)
        if scope is not self.function.scope:
            self._scopes[node] = scope

    def _child(self, child: ast.AST, parent: ast.AST, scope: Scope) -> None:
        if not isinstance(child, ast.expr_context | ast.operator | ast.cmpop | ast.unaryop | ast.boolop):
            self.parents[child] = parent
            self._collect(child, scope)

    def _nested_function(self, node: ast.AST, scope: Scope) -> None:
        self.nested.append(node)
        arguments = getattr(node, "args", None)
        outside = [*getattr(node, "decorator_list", [])]
        if arguments is not None:
            outside += [*arguments.defaults, *(d for d in arguments.kw_defaults if d is not None)]
        for part in outside:
            self._child(part, node, scope)

    def _comprehension(
        self, node: ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp, scope: Scope
    ) -> None:
        first = node.generators[0]
        inner = self.home.walk.scopes.get(first, scope)
        for child in ast.iter_child_nodes(node):
            self._child(child, node, inner)

    def _mark_eager(self, call: ast.Call, scope: Scope) -> None:
        """Functions given to `tf.py_function` run eagerly; its other arguments do not."""
        for child in (*call.args, *(keyword.value for keyword in call.keywords)):
            if isinstance(child, ast.Lambda):
                self.eager_functions.add(child)
            elif isinstance(child, ast.Name):
                found = scope.lookup(child.id)
                self.eager_functions.update(
                    b.node for b in found[1] if b.kind == "function"
                ) if found else None
                self._child(child, call, scope)
            else:
                self._child(child, call, scope)

    def _catches(self, node: ast.Try, scope: Scope) -> bool:
        names: set[str | None] = set()
        for handler in node.handlers:
            kinds = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
            names |= {dotted_name(kind, scope) if kind is not None else None for kind in kinds}
        return bool(names & BROAD)

    @functools.cached_property
    def loads(self) -> dict[str, list[ast.Name]]:
        """The places where each name is read."""
        found: dict[str, list[ast.Name]] = {}
        for name in self.of(ast.Name):
            if isinstance(name.ctx, ast.Load):
                found.setdefault(name.id, []).append(name)
        return found


def _may_leave(statement: ast.stmt) -> bool:
    """Whether a statement may return before what follows it: `if self.built: return`."""
    return isinstance(statement, ast.If) and any(isinstance(n, ast.Return) for n in ast.walk(statement))


def related(span: Span, message: str) -> Related:
    """A place that helps to understand a finding."""
    return Related.at(
        span,
        message=message,
    )
