"""Which assignments of a name can be the ones that a use of it reads, inside one function or module.

Structured code needs no graph of blocks: a statement's place is the path of blocks that lead to it,
and one assignment rules out the earlier ones when every way to the use passes it.
"""

import ast
from collections.abc import Iterator

from graphdoctor.source.scopes import Binding, FunctionNode, Scope

Index = tuple[int, ...]
Path = tuple[tuple[int, Index], ...]  # (block, position in it), from the outermost block inwards
NESTED = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)
LOOPS = (ast.For, ast.AsyncFor, ast.While)
TYPE_QUESTIONS = {"isinstance", "issubclass", "hasattr", "callable", "type", "is_tensor", "is_nested"}


class Flow:
    """The places of all statements and names of the own body of one function or module."""

    def __init__(self, node: FunctionNode | ast.Module) -> None:
        self.paths: dict[ast.AST, Path] = {}
        self.loops: dict[ast.AST, tuple[ast.AST, ...]] = {}
        self._exclusive: set[int] = set()  # blocks of `if` statements: only one of them runs
        self.narrowed: dict[ast.Name, set[str]] = {}  # the names whose types a condition around asks for
        body: list[ast.stmt] | list[ast.expr] = node.body if isinstance(node.body, list) else [node.body]
        self._block(body, (), (), id(body))

    def _block(
        self,
        statements: list[ast.stmt] | list[ast.expr],
        prefix: Path,
        loops: tuple[ast.AST, ...],
        block: int,
        start: Index = (),
    ) -> None:
        for number, statement in enumerate(statements):
            path = (*prefix, (block, (*start, number)))
            self._mark(statement, path, loops)
            for blocks in _inner_blocks(statement):
                inside = (*loops, statement) if isinstance(statement, LOOPS) else loops
                if isinstance(statement, ast.With | ast.AsyncWith):
                    self._block(blocks, prefix, inside, block, (*start, number))
                elif blocks:
                    if isinstance(statement, ast.If | ast.Match):
                        self._exclusive.add(id(blocks))
                    self._block(blocks, path, inside, id(blocks))

    def _mark(self, statement: ast.AST, path: Path, loops: tuple[ast.AST, ...]) -> None:
        """Give the statement and all expressions of its own (not of its blocks) their place."""
        self.paths[statement], self.loops[statement] = path, loops
        if isinstance(statement, ast.If):
            self._narrow(statement, statement.test)
        if isinstance(statement, ast.While):
            loops = (*loops, statement)
        waiting: list[ast.AST] = list(_own_parts(statement))
        while waiting:
            node = waiting.pop()
            self.paths[node], self.loops[node] = path, loops
            if isinstance(node, ast.IfExp):
                self._narrow(node, node.test)
            if not isinstance(node, NESTED):
                waiting.extend(ast.iter_child_nodes(node))

    def _narrow(self, condition: ast.If | ast.IfExp, test: ast.expr) -> None:
        """Under `isinstance(x, tuple)` the value of x may be another than elsewhere."""
        asked = {
            part.id
            for call in ast.walk(test)
            if isinstance(call, ast.Call) and _last_name(call.func) in TYPE_QUESTIONS
            for part in call.args[:1]
            if isinstance(part, ast.Name)
        }
        if asked:
            for node in ast.walk(condition):
                if isinstance(node, ast.Name):
                    self.narrowed.setdefault(node, set()).update(asked)

    def reaching(self, use: ast.AST, bindings: list[Binding]) -> list[Binding]:
        """The bindings of a name whose value a use may read; all of them where that is not known."""
        place = self.paths.get(use)
        if place is None:
            return bindings
        placed = [(binding, self.path_of(binding)) for binding in bindings]
        if any(path is None for _, path in placed):
            return bindings
        last: Binding | None = None
        for binding, path in placed:
            assert path is not None
            if _dominates(path, place) and (last is None or _position(last) <= _position(binding)):
                last = binding
        paths = [path for _, path in placed if path]
        return [
            binding
            for binding, path in placed
            if path is not None
            and (binding is last or self._may_reach(binding, path, use, place, last))
            and not self._is_replaced(binding, path, use, place, paths)
        ]

    def _is_replaced(
        self, binding: Binding, path: Path, use: ast.AST, place: Path, others: list[Path]
    ) -> bool:
        """Whether a later assignment of a block around this one stands between it and a use after that."""
        if self.loops.get(binding.node, ()) != self.loops[use] or self.loops[use]:
            return False
        for *outer, (block, index) in others:
            level = len(outer)
            if len(path) <= level or path[:level] != tuple(outer) or path[level][0] != block:
                continue
            after = place[level] if len(place) > level and place[:level] == tuple(outer) else None
            beyond = after is None or after[0] != block or after[1] > index
            if path[level][1] < index and beyond and self.comes_before(path, place):
                return True
        return False

    def _may_reach(
        self, binding: Binding, path: Path, use: ast.AST, place: Path, last: Binding | None
    ) -> bool:
        again = [loop for loop in self.loops[use] if self._inside(binding, loop)]
        if any(last is None or not self._inside(last, loop) for loop in again):
            return True  # by way of the next turn of a loop that is around both
        if last is not None and _position(binding) < _position(last):
            return False
        return self.comes_before(path, place)

    def comes_before(self, path: Path, place: Path) -> bool:
        """Whether what stands at a path can have run before a place, in the same turn of every loop."""
        for (block, index), (other, position) in zip(path, place, strict=False):
            if block != other:
                return not (block in self._exclusive and other in self._exclusive)
            if index != position:
                return index < position
        return len(path) < len(place)

    def _inside(self, binding: Binding, loop: ast.AST) -> bool:
        if binding.node is loop:
            return True
        return loop in self.loops.get(binding.node, ())

    def path_of(self, binding: Binding) -> Path | None:
        """Where a binding takes effect."""
        if binding.kind == "parameter":
            return ()
        path = self.paths.get(binding.node)
        if path is not None and binding.kind == "item" and isinstance(binding.node, ast.For | ast.AsyncFor):
            return (*path, (id(binding.node.body), (-1,)))
        return path


def _dominates(path: Path, place: Path) -> bool:
    """Whether every way to a place passes the path."""
    if not path:
        return True
    *outer, (block, index) = path
    if len(place) < len(path) or place[: len(outer)] != tuple(outer):
        return False
    other, position = place[len(outer)]
    return block == other and index < position


def _position(binding: Binding) -> tuple[int, int]:
    if binding.kind == "parameter":
        return (0, 0)
    return (getattr(binding.node, "lineno", 0), getattr(binding.node, "col_offset", 0))


def _inner_blocks(statement: ast.AST) -> Iterator[list[ast.stmt]]:
    if isinstance(statement, NESTED):
        return
    for name in ("body", "orelse", "finalbody"):
        block = getattr(statement, name, None)
        if isinstance(block, list):
            yield block
    for part in (*getattr(statement, "handlers", ()), *getattr(statement, "cases", ())):
        yield part.body


def _own_parts(statement: ast.AST) -> Iterator[ast.AST]:
    if isinstance(statement, NESTED):
        return
    for name, value in ast.iter_fields(statement):
        if isinstance(value, ast.AST):
            yield value
        elif isinstance(value, list) and name not in ("body", "orelse", "finalbody", "handlers", "cases"):
            yield from (item for item in value if isinstance(item, ast.AST))
        elif name == "handlers":
            yield from value
        elif name == "cases":
            yield from (part for case in value for part in (case.pattern, case.guard) if part is not None)


def flow_of(scope: Scope) -> Flow | None:
    """The flow of the function or module in which a scope lies; None for classes."""
    around = scope
    while isinstance(around.node, ast.comprehension) and around.parent is not None:
        around = around.parent
    if not isinstance(around.node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.Module):
        return None
    if around.flow is None:
        around.flow = Flow(around.node)
    return around.flow


def reaching_bindings(use: ast.Name, scope: Scope) -> tuple[Scope, list[Binding]] | None:
    """The scope that binds a name, and those of its bindings that this use of the name may read."""
    found = scope.lookup(use.id)
    if found is None:
        return None
    owner, bindings = found
    flow = flow_of(scope)
    if flow is None or len(bindings) < 2 or flow_of(owner) is not flow or owner.flow is not flow:
        return found
    return owner, flow.reaching(use, bindings)


def is_narrowed(use: ast.Name, bindings: list[Binding], scope: Scope) -> bool:
    """Whether a condition around a use asks for its type, or for that of a parameter when it is one too.

    Such a function takes values of several types, and the calls that we see need not show all.
    """
    flow = flow_of(scope) if scope.function is not None else None
    if flow is None or use not in flow.narrowed:
        return False
    return use.id in flow.narrowed[use] or any(binding.kind == "parameter" for binding in bindings)


def _last_name(function: ast.expr) -> str:
    return getattr(function, "attr", getattr(function, "id", ""))
