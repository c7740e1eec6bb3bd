"""Syntax tree → scopes, bindings, calls and functions, in one walk."""

import ast
import dataclasses
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, Final, Literal

if TYPE_CHECKING:
    from graphdoctor.source.module import Module

FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
ScopeNode = ast.Module | ast.ClassDef | FunctionNode | ast.comprehension
Loop = ast.For | ast.AsyncFor | ast.While | ast.comprehension
BindingKind = Literal["import", "function", "class", "value", "item", "parameter", "update", "other"]


@dataclasses.dataclass(eq=False, slots=True)
class Binding:
    """One place that gives a name a value.

    kind: import · function · class · value (`x = …`) · item (each of `for x in …`) · parameter ·
    update (`x += …`) · other. `value` is the expression it comes from; `target` an import's dotted name.
    """

    name: str
    kind: BindingKind
    node: ast.AST
    value: ast.expr | None = None
    target: str = ""
    index: int | None = None  # which element of the value, where a tuple is taken apart


@dataclasses.dataclass(eq=False, slots=True)
class Scope:
    """What a module, class, function or comprehension binds."""

    node: ast.AST
    parent: "Scope | None"
    name: str
    bindings: dict[str, list[Binding]] = dataclasses.field(default_factory=dict)
    outer_names: set[str] = dataclasses.field(default_factory=set)
    home: "Module | None" = None  # the module it lies in

    def lookup(self, name: str) -> "tuple[Scope, list[Binding]] | None":
        """The scope that binds a name as seen from here, and the bindings."""
        scope: Scope | None = self
        while scope is not None:
            visible = scope is self or not isinstance(scope.node, ast.ClassDef)
            if visible and name in scope.bindings and name not in scope.outer_names:
                return scope, scope.bindings[name]
            scope = scope.parent
        return None

    def only(self, name: str) -> "Binding | None":
        """The one binding of a name as seen from here; None where there are more, or none."""
        found = self.lookup(name)
        return found[1][0] if found is not None and len(found[1]) == 1 else None

    @property
    def function(self) -> "Scope | None":
        """The nearest enclosing function's scope, or None at module level."""
        scope: Scope | None = self
        while scope is not None and not isinstance(
            scope.node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
        ):
            scope = scope.parent
        return scope

    def within(self, other: "Scope") -> bool:
        """Whether this scope is the other one or lies inside it."""
        scope: Scope | None = self
        while scope is not None:
            if scope is other:
                return True
            scope = scope.parent
        return False


@dataclasses.dataclass(eq=False, slots=True)
class Placed:
    """A syntax node, the scope it stands in, and the loops of the same function around it."""

    node: ast.AST
    scope: Scope
    loops: tuple[Loop, ...]
    statement: ast.stmt


@dataclasses.dataclass(eq=False, slots=True)
class Walk:
    """Everything the one walk collects."""

    root: Scope
    scopes: dict[ast.AST, Scope] = dataclasses.field(default_factory=dict)
    calls: list[Placed] = dataclasses.field(default_factory=list)
    functions: list[tuple[FunctionNode, Scope, Placed]] = dataclasses.field(default_factory=list)


def walk_module(tree: ast.Module, home: "Module | None" = None) -> Walk:
    """The scopes of a module, and every call and function with its surroundings."""
    walker = _Walker(tree, home)
    for statement in tree.body:
        walker.visit(statement)
    return walker.walk


class _Walker:
    """Visits each node once; a table of methods by type is twice as fast as `ast.NodeVisitor`."""

    def __init__(self, tree: ast.Module, home: "Module | None") -> None:
        self.scope = Scope(tree, None, "", home=home)
        self.walk = Walk(self.scope)
        self.walk.scopes[tree] = self.scope
        self.loops: tuple[Loop, ...] = ()
        self.statement: ast.stmt = ast.Pass()

    def visit(self, node: ast.AST) -> None:
        kind = type(node)
        if kind in LEAVES:
            return
        method = METHODS.get(kind)
        if kind in STATEMENTS:
            outer, self.statement = self.statement, node  # type: ignore[assignment]
            (method or _Walker.generic_visit)(self, node)
            self.statement = outer
        elif method is not None:
            method(self, node)
        else:
            self.generic_visit(node)

    def generic_visit(self, node: ast.AST) -> None:
        for field in node._fields:
            value = getattr(node, field, None)
            if value.__class__ is list:
                for item in value:
                    if isinstance(item, ast.AST):
                        self.visit(item)
            elif isinstance(value, ast.AST):
                self.visit(value)

    def _placed(self, node: ast.AST) -> Placed:
        return Placed(node, self.scope, self.loops, self.statement)

    def _bind(
        self,
        name: str,
        kind: BindingKind,
        node: ast.AST,
        value: ast.expr | None = None,
        target: str = "",
        index: int | None = None,
    ) -> None:
        scope = self.scope
        while isinstance(scope.node, ast.comprehension) and isinstance(node, ast.NamedExpr):
            scope = scope.parent or scope
        scope.bindings.setdefault(name, []).append(Binding(name, kind, node, value, target, index))

    def _bind_target(self, target: ast.expr, kind: BindingKind, node: ast.AST, value: ast.expr) -> None:
        if isinstance(target, ast.Name):
            self._bind(target.id, kind, node, value)
        elif isinstance(target, ast.Tuple | ast.List):
            self._bind_elements(target, kind, node, value)
        elif isinstance(target, ast.Starred):
            self._bind_target(target.value, "other", node, value)
        else:
            self.visit(target)

    def _bind_elements(
        self, target: ast.Tuple | ast.List, kind: BindingKind, node: ast.AST, value: ast.expr
    ) -> None:
        for index, element in enumerate(target.elts):
            if isinstance(element, ast.Name):
                self._bind(element.id, kind, node, value, index=index)
            else:
                self._bind_target(element, "other", node, value)

    def visit_Import(self, node: ast.Import) -> None:
        for alias in node.names:
            name = alias.asname or alias.name.split(".")[0]
            target = alias.name if alias.asname else alias.name.split(".")[0]
            self._bind(name, "import", node, target=target)

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        module = "." * node.level + (node.module or "")
        for alias in node.names:
            separator = "" if module.endswith(".") else "."
            self._bind(
                alias.asname or alias.name,
                "import",
                node,
                target=f"{module}{separator}{alias.name}",
            )

    def visit_Assign(self, node: ast.Assign) -> None:
        self.visit(node.value)
        for target in node.targets:
            self._bind_target(target, "value", node, node.value)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        if node.value is not None:
            self.visit(node.value)
            self._bind_target(node.target, "value", node, node.value)
        elif isinstance(node.target, ast.Name):  # `x: int` makes the name local, and no more
            self._bind(node.target.id, "other", node)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        self.visit(node.value)
        self._bind_target(node.target, "update", node, node.value)

    def visit_NamedExpr(self, node: ast.NamedExpr) -> None:
        self.visit(node.value)
        self._bind(node.target.id, "value", node, node.value)

    def visit_Global(self, node: ast.Global | ast.Nonlocal) -> None:
        self.scope.outer_names.update(node.names)
        if isinstance(node, ast.Global):
            for name in node.names:
                self.walk.root.bindings.setdefault(name, []).append(Binding(name, "other", node))
        else:
            for name in node.names:
                outer = self.scope.parent.lookup(name) if self.scope.parent else None
                if outer is not None:
                    outer[1].append(Binding(name, "other", node))

    def visit_For(self, node: ast.For | ast.AsyncFor) -> None:
        self.visit(node.iter)
        self._bind_target(node.target, "item", node, node.iter)
        self._inside_loop(node, node.body)
        self._visit_all(node.orelse)

    def visit_While(self, node: ast.While) -> None:
        self._inside_loop(node, [node.test, *node.body])
        self._visit_all(node.orelse)

    def _inside_loop(self, loop: Loop, nodes: list[ast.AST] | list[ast.stmt]) -> None:
        outer, self.loops = self.loops, (*self.loops, loop)
        self._visit_all(nodes)
        self.loops = outer

    def visit_With(self, node: ast.With | ast.AsyncWith) -> None:
        for item in node.items:
            self.visit(item.context_expr)
            if item.optional_vars is not None:
                self._bind_target(item.optional_vars, "other", node, item.context_expr)
        self._visit_all(node.body)

    def visit_ExceptHandler(self, node: ast.ExceptHandler) -> None:
        if node.name:
            self._bind(node.name, "other", node)
        self.generic_visit(node)

    def visit_MatchAs(self, node: ast.MatchAs | ast.MatchStar) -> None:
        if node.name:
            self._bind(node.name, "other", node)
        self.generic_visit(node)

    def visit_MatchMapping(self, node: ast.MatchMapping) -> None:
        if node.rest:
            self._bind(node.rest, "other", node)
        self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> None:
        self.walk.calls.append(self._placed(node))
        self.generic_visit(node)

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        self._bind(node.name, "class", node)
        self._visit_all([*node.decorator_list, *node.bases, *(k.value for k in node.keywords)])
        scope = self._enter(node, node.name)
        self._visit_all(node.body)
        self.scope = scope.parent or scope

    def visit_FunctionDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        placed = self._placed(node)
        self._bind(node.name, "function", node)
        self._visit_all([*node.decorator_list, *_defaults(node.args)])
        self._function(node, node.name, placed, node.body)

    def visit_Lambda(self, node: ast.Lambda) -> None:
        placed = self._placed(node)
        self._visit_all(_defaults(node.args))
        self._function(node, "<lambda>", placed, [node.body])

    def _function(
        self, node: FunctionNode, name: str, placed: Placed, body: list[ast.stmt] | list[ast.expr]
    ) -> None:
        scope = self._enter(node, name)
        for parameter in parameters(node):
            self._bind(parameter.arg, "parameter", parameter)
        self.walk.functions.append((node, scope, placed))
        outer, self.loops = self.loops, ()
        self._visit_all(body)
        self.loops = outer
        self.scope = scope.parent or scope

    def visit_ListComp(self, node: ast.ListComp | ast.SetComp | ast.GeneratorExp) -> None:
        self._comprehension(node.generators, [node.elt])

    def visit_DictComp(self, node: ast.DictComp) -> None:
        self._comprehension(node.generators, [node.key, node.value])

    def _comprehension(self, generators: list[ast.comprehension], elements: list[ast.expr]) -> None:
        self.visit(generators[0].iter)
        scope = self._enter(generators[0], "")
        outer = self.loops
        for number, generator in enumerate(generators):
            if number:
                self.visit(generator.iter)
            self._bind_target(generator.target, "item", generator, generator.iter)
            self.loops = (*self.loops, generator)
            self._visit_all(generator.ifs)
        self._visit_all(elements)
        self.loops = outer
        self.scope = scope.parent or scope

    def _enter(self, node: ScopeNode, name: str) -> Scope:
        qualified = ".".join(part for part in (self.scope.name, name) if part)
        self.scope = Scope(node, self.scope, qualified, home=self.walk.root.home)
        self.walk.scopes[node] = self.scope
        return self.scope

    def _visit_all(self, nodes: list[ast.AST] | list[ast.stmt] | list[ast.expr]) -> None:
        for node in nodes:
            self.visit(node)


METHODS: Final[dict[type, Callable[[Any, Any], None]]] = {
    ast.Import: _Walker.visit_Import,
    ast.ImportFrom: _Walker.visit_ImportFrom,
    ast.Assign: _Walker.visit_Assign,
    ast.AnnAssign: _Walker.visit_AnnAssign,
    ast.AugAssign: _Walker.visit_AugAssign,
    ast.NamedExpr: _Walker.visit_NamedExpr,
    ast.Global: _Walker.visit_Global,
    ast.Nonlocal: _Walker.visit_Global,
    ast.For: _Walker.visit_For,
    ast.AsyncFor: _Walker.visit_For,
    ast.While: _Walker.visit_While,
    ast.With: _Walker.visit_With,
    ast.AsyncWith: _Walker.visit_With,
    ast.ExceptHandler: _Walker.visit_ExceptHandler,
    ast.MatchAs: _Walker.visit_MatchAs,
    ast.MatchStar: _Walker.visit_MatchAs,
    ast.MatchMapping: _Walker.visit_MatchMapping,
    ast.Call: _Walker.visit_Call,
    ast.ClassDef: _Walker.visit_ClassDef,
    ast.FunctionDef: _Walker.visit_FunctionDef,
    ast.AsyncFunctionDef: _Walker.visit_FunctionDef,
    ast.Lambda: _Walker.visit_Lambda,
    ast.ListComp: _Walker.visit_ListComp,
    ast.SetComp: _Walker.visit_ListComp,
    ast.GeneratorExp: _Walker.visit_ListComp,
    ast.DictComp: _Walker.visit_DictComp,
}
STATEMENTS: Final = frozenset(
    kind
    for kind in vars(ast).values()
    if isinstance(kind, type) and issubclass(kind, ast.stmt) and kind is not ast.stmt
)
LEAVES: Final = frozenset(
    kind
    for kind in vars(ast).values()
    if isinstance(kind, type)
    and (
        issubclass(kind, ast.expr_context | ast.operator | ast.unaryop | ast.cmpop | ast.boolop)
        or kind in (ast.Name, ast.Constant, ast.Pass, ast.Break, ast.Continue, ast.alias)
    )
)


def parameters(node: FunctionNode) -> Iterator[ast.arg]:
    """All parameters of a function, in order."""
    arguments = node.args
    yield from (*arguments.posonlyargs, *arguments.args)
    if arguments.vararg:
        yield arguments.vararg
    yield from arguments.kwonlyargs
    if arguments.kwarg:
        yield arguments.kwarg


def _defaults(arguments: ast.arguments) -> list[ast.expr]:
    return [*arguments.defaults, *(default for default in arguments.kw_defaults if default)]
