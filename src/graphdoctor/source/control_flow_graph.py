"""A function, or a module's top, as a graph of the steps that its execution may take."""

import ast
import dataclasses
from collections.abc import Iterable, Sequence

FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
Loop = ast.For | ast.AsyncFor | ast.While


@dataclasses.dataclass(eq=False, slots=True)
class Step:
    """A piece of syntax that is evaluated at once, and the steps that may come next.

    `reads` are evaluated first, then `binds` are bound, in this order. `raises` come next where the
    evaluation raises, and nothing is bound. `loops` are those around it, the outermost first.
    """

    node: ast.AST
    reads: tuple[ast.AST, ...] = ()
    binds: tuple[ast.AST, ...] = ()
    loops: tuple[Loop, ...] = ()
    next: list["Step"] = dataclasses.field(default_factory=list)
    raises: tuple["Step", ...] = ()


@dataclasses.dataclass(slots=True)
class _Around:
    """Where `break`, `continue` and an exception go from here, and the loops around."""

    loops: tuple[Loop, ...] = ()
    leave: list[Step] | None = None
    again: Step | None = None
    raised: tuple[Step, ...] = ()
    finally_: tuple[Sequence[ast.stmt], ...] = ()


class ControlFlowGraph:
    """The steps of a body from `entry` to `exit`; an exception may leave each step, and ends at `exit`.

    Nested functions and classes are one step that binds their name: their bodies have graphs of their own.
    """

    def __init__(self, owner: ast.AST) -> None:
        self.owner = owner
        self.entry, self.exit = Step(owner), Step(owner)
        self.steps: list[Step] = []
        body = getattr(owner, "body", [])
        arguments = getattr(owner, "args", None)
        if isinstance(arguments, ast.arguments):
            self.entry.binds = tuple(part for part in ast.walk(arguments) if isinstance(part, ast.arg))
        around = _Around(raised=(self.exit,))
        if isinstance(body, list):
            ends = self._block(body, [self.entry], around)
        else:  # of a lambda
            ends = [self._step(body, [self.entry], around, reads=(body,))]
        _connect(ends, self.exit)

    def _step(
        self,
        node: ast.AST,
        before: Iterable[Step],
        around: _Around,
        reads: tuple[ast.AST, ...] = (),
        binds: tuple[ast.AST, ...] = (),
    ) -> Step:
        step = Step(node, reads, binds, around.loops)
        self.steps.append(step)
        _connect(before, step)
        step.raises = around.raised
        return step

    def _block(self, statements: Iterable[ast.stmt], before: list[Step], around: _Around) -> list[Step]:
        for statement in statements:
            before = self._statement(statement, before, around)
        return before

    def _statement(self, node: ast.stmt, before: list[Step], around: _Around) -> list[Step]:
        if isinstance(node, ast.If):
            test = self._step(node, before, around, reads=(node.test,))
            return [*self._block(node.body, [test], around), *self._block(node.orelse, [test], around)]
        if isinstance(node, Loop):
            return self._loop(node, before, around)
        if isinstance(node, ast.With | ast.AsyncWith):
            for item in node.items:
                binds = (item.optional_vars,) if item.optional_vars is not None else ()
                before = [self._step(node, before, around, reads=(item.context_expr,), binds=binds)]
            return self._block(node.body, before, around)
        if isinstance(node, ast.Try) or type(node).__name__ == "TryStar":
            return self._try(node, before, around)  # type: ignore[arg-type]
        if isinstance(node, ast.Match):
            return self._match(node, before, around)
        if isinstance(node, ast.Break | ast.Continue):
            return self._jump(node, before, around)
        step = self._step(node, before, around, *_effects(node))
        if isinstance(node, ast.Return):
            _connect(self._through_finally([step], around), self.exit)
            return []
        if isinstance(node, ast.Raise):
            return []
        return [step]

    def _loop(self, node: Loop, before: list[Step], around: _Around) -> list[Step]:
        inner = dataclasses.replace(around, loops=(*around.loops, node), finally_=())
        if isinstance(node, ast.While):
            head = self._step(node, before, inner, reads=(node.test,))
        else:
            begin = self._step(node, before, around, reads=(node.iter,))
            head = self._step(node, [begin], inner)
        left: list[Step] = []
        inner.leave, inner.again = left, head
        first = [head]
        if not isinstance(node, ast.While):
            first = [self._step(node, [head], inner, binds=(node.target,))]
        _connect(self._block(node.body, first, inner), head)
        ends: list[Step] = []
        if not (isinstance(node, ast.While) and isinstance(node.test, ast.Constant) and node.test.value):
            ends = self._block(node.orelse, [head], around)
        return [*ends, *left]

    def _jump(self, node: ast.Break | ast.Continue, before: list[Step], around: _Around) -> list[Step]:
        step = self._step(node, before, around)
        ends = self._through_finally([step], around)
        if isinstance(node, ast.Break) and around.leave is not None:
            around.leave += ends
        elif isinstance(node, ast.Continue) and around.again is not None:
            _connect(ends, around.again)
        return []

    def _through_finally(self, ends: list[Step], around: _Around) -> list[Step]:
        """What runs on the way out: the `finally` blocks, the innermost first."""
        for number, block in enumerate(around.finally_):
            outer = dataclasses.replace(around, finally_=around.finally_[number + 1 :])
            ends = self._block(block, ends, outer)
        return ends

    def _try(self, node: ast.Try, before: list[Step], around: _Around) -> list[Step]:
        caught = Step(node, loops=around.loops)
        self.steps.append(caught)
        _connect(before, caught)  # what raises at once has bound nothing
        protected = dataclasses.replace(around, raised=(caught,))
        if node.finalbody:
            protected = dataclasses.replace(protected, finally_=(node.finalbody, *around.finally_))
        ends = self._block(node.body, before, protected)
        failing = dataclasses.replace(protected, raised=around.raised)
        ends = self._block(node.orelse, ends, failing)
        for handler in node.handlers:
            reads = (handler.type,) if handler.type is not None else ()
            binds = (handler,) if handler.name else ()
            begin = self._step(handler, [caught], failing, reads=reads, binds=binds)
            ends += self._block(handler.body, [begin], failing)
        if not node.finalbody:
            _connect([caught], *around.raised)
            return ends
        _connect(self._block(node.finalbody, [caught], around), *around.raised)
        return self._block(node.finalbody, ends, around)

    def _match(self, node: ast.Match, before: list[Step], around: _Around) -> list[Step]:
        waiting = [self._step(node, before, around, reads=(node.subject,))]
        ends: list[Step] = []
        for case in node.cases:
            guard = (case.guard,) if case.guard is not None else ()
            matched = [self._step(case, waiting, around, reads=_values(case.pattern), binds=(case.pattern,))]
            if guard:
                matched = [self._step(case, matched, around, reads=guard)]
            ends += self._block(case.body, matched, around)
            every = isinstance(case.pattern, ast.MatchAs) and case.pattern.pattern is None and not guard
            waiting = [] if every else [*waiting, *(matched if guard else ())]
        return [*ends, *waiting]


def _connect(before: Iterable[Step], *after: Step) -> None:
    for step in before:
        step.next += [each for each in after if each not in step.next]


def _effects(node: ast.stmt) -> tuple[tuple[ast.AST, ...], tuple[ast.AST, ...]]:
    """What a plain statement evaluates, and what it binds."""
    if isinstance(node, ast.Assign):
        return (node.value,), tuple(node.targets)
    if isinstance(node, ast.AnnAssign):
        return ((node.value,), (node.target,)) if node.value is not None else ((), ())
    if isinstance(node, ast.AugAssign):
        return (node,), (node.target,)
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        defaults = [*node.args.defaults, *(each for each in node.args.kw_defaults if each is not None)]
        return (*node.decorator_list, *defaults), (node,)
    if isinstance(node, ast.ClassDef):
        return (*node.decorator_list, *node.bases, *node.keywords), (node,)
    if isinstance(node, ast.Import | ast.ImportFrom):
        return (), tuple(node.names)
    if isinstance(node, ast.Delete):
        return (), tuple(node.targets)
    return tuple(ast.iter_child_nodes(node)), ()


def _values(pattern: ast.pattern) -> tuple[ast.AST, ...]:
    """The expressions that a pattern compares with."""
    values = (ast.MatchValue, ast.MatchClass)
    found = (part for part in ast.walk(pattern) if isinstance(part, values))
    return tuple(part.value if isinstance(part, ast.MatchValue) else part.cls for part in found)
