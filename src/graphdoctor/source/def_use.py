"""Who reads, writes and changes a name, attribute or element, and which writes reach which reads.

A place is written as in the source: `x`, `self.x`, `a.b.c`; `x[]` is any element of `x`.
"""

import ast
import dataclasses
import enum
from collections.abc import Iterable, Iterator

from graphdoctor.source.control_flow_graph import ControlFlowGraph, Loop, Step
from graphdoctor.source.remembering import remembered

# Methods of Python's own containers that change them.
CHANGING_METHODS = frozenset(
    ("append", "extend", "add", "insert", "update", "setdefault", "pop", "popitem", "popleft", "remove",
     "discard", "clear", "sort", "reverse", "appendleft", "extendleft")
)  # fmt: skip
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
STORING = (ast.Assign, ast.AnnAssign, ast.NamedExpr, ast.Return, ast.Yield, ast.YieldFrom, ast.Lambda,
           ast.List, ast.Tuple, ast.Set, ast.Dict, ast.Starred, ast.IfExp)  # fmt: skip
NOWHERE: frozenset[str] = frozenset()


class Kind(enum.Enum):
    """What is done with a place: `CHANGE` leaves the same object there, with another content."""

    READ = "read"
    WRITE = "write"
    CHANGE = "change"
    DELETE = "delete"


class Use(enum.Enum):
    """What becomes of a value that is read."""

    CALLED = "called"
    METHOD = "method"  # `x.m(…)`
    ATTRIBUTE = "attribute"
    ELEMENT = "element"
    GIVEN = "given"  # to a call
    STORED = "stored"  # under another name, in another object, or returned
    COMPUTED = "computed"  # arithmetic, a comparison, a text, a condition
    ASSERTED = "asserted"


ENDING = (Kind.WRITE, Kind.DELETE)


@dataclasses.dataclass(frozen=True, eq=False, slots=True)
class Access:
    """One access of a place: where, how, and in which nested function or class, if it is in one.

    `method` is the method that is called on it, or that it is given to.
    """

    place: str
    kind: Kind
    node: ast.AST
    use: Use | None = None
    method: str = ""
    nested: ast.AST | None = None
    loops: tuple[Loop, ...] = ()


def place_of(node: ast.AST) -> str:
    """The place that an expression names, or nothing; an attribute of what has no name is `?.x`."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.arg):
        return node.arg
    if isinstance(node, ast.Attribute):
        return f"{place_of(node.value) or '?'}.{node.attr}"
    if isinstance(node, ast.Subscript):
        return f"{place_of(node.value) or '?'}[]"
    return ""


def is_part_of(place: str, whole: str) -> bool:
    """Whether a place is surely another one, or an attribute or element of it."""
    inside = place.startswith(whole) and place[len(whole) :][:1] in ("", ".", "[")
    return inside and not whole.startswith("?")


class DefUse:
    """The accesses of one function or module, and how values flow between them.

    A read in a nested function may come whenever that is called: each write there is may reach it.
    """

    def __init__(self, owner: ast.AST) -> None:
        self.graph = ControlFlowGraph(owner)
        self._of_step = {
            step: list(_accesses(step)) for step in (self.graph.entry, *self.graph.steps, self.graph.exit)
        }
        self._homes: dict[ast.AST, list[tuple[Step, int]]] = {}
        for step, accesses in self._of_step.items():
            for index, access in enumerate(accesses):
                self._homes.setdefault(access.node, []).append((step, index))

    def of(self, place: str, *kinds: Kind) -> list[Access]:
        """The accesses of a place, each once, in the order of the text; nested functions included."""
        found = {
            (access.node, access.kind): access
            for access in self.all()
            if access.place == place and (not kinds or access.kind in kinds)
        }
        return sorted(found.values(), key=lambda one: _position(one.node))

    def reads_of(self, node: ast.AST) -> list[Access]:
        """The reads that may get the value that is written at a node: a target, parameter or definition."""
        written = {
            self._of_step[step][index].place: None
            for step, index in self._homes.get(node, [])
            if self._of_step[step][index].kind is not Kind.READ
        }
        found: dict[ast.AST, Access] = {}
        for place in written:
            homes = [
                (step, index + 1)
                for step, index in self._homes[node]
                if self._of_step[step][index].place == place
            ]
            found.update((one.node, one) for one in self._reads(homes, place, nested=True))
        return sorted(found.values(), key=lambda one: _position(one.node))

    def reads_after(self, statement: ast.AST, place: str, *, nested: bool = True) -> list[Access]:
        """The reads of a place that may come when a statement is done, before something else is written.

        `nested`: those of all nested functions, also of such as are defined before it.
        """
        inside = self._inside(statement)
        begin = [(after, 0) for step in inside for after in step.next if after not in inside]
        return self._reads(begin, place, nested=nested)

    def reads_from(self, loop: Loop, place: str) -> list[Access]:
        """The reads of a place that may come behind an iteration of a loop: in the next one, or after all."""
        heads = [step for step in self.graph.steps if step.node is loop]
        first = 0 if isinstance(loop, ast.While) else 1  # that evaluates what is gone through
        return self._reads([(step, 0) for step in heads[first:]], place, nested=False)

    def is_own(self, node: ast.AST) -> bool:
        """Whether a read surely gets what was written here before, and nothing was called in between.

        What is counted here, as by `n = n + 1`, is its own whatever was called.
        """
        entry = self.graph.entry
        place, begin = place_of(node), [(entry, len(self._of_step[entry]))]
        for step, accesses in self._of_step.items():
            kinds = [one.kind for one in accesses if one.place == place]
            counted = Kind.READ in kinds and Kind.WRITE in kinds
            if counted and self._leads_to((step, len(accesses)), node):
                return True
            if any(isinstance(part, ast.Call) for read in step.reads for part in ast.walk(read)):
                bound = (index for index, one in enumerate(accesses) if one.kind is Kind.WRITE)
                begin.append((step, next(bound, len(accesses))))
        return bool(self._homes.get(node)) and not any(self._leads_to(each, node) for each in begin)

    def _leads_to(self, begin: tuple[Step, int], read: ast.AST) -> bool:
        return any(one.node is read for one in self._reads([begin], place_of(read), nested=False))

    def comes_again(self, loop: Loop, node: ast.AST) -> bool:
        """Whether a loop may go on with another iteration behind a place in it."""
        heads = [step for step in self.graph.steps if step.node is loop]
        waiting = [step for step in self.graph.steps if step not in heads and _evaluates(step, node)]
        seen = set(waiting)
        for step in waiting:  # which grows meanwhile
            if isinstance(loop, ast.While) and _makes_false(step.node, loop.test):
                continue
            if any(each in heads for each in step.next):
                return True
            new = [each for each in step.next if each not in seen]
            waiting += new
            seen.update(new)
        return not seen

    def writes_of(self, node: ast.AST) -> list[Access | None]:
        """The writes whose value a read may get; None stands for what was there in the beginning."""
        home = self._homes.get(node)
        if not home:
            return []
        read = self._of_step[home[0][0]][home[0][1]]
        writers: dict[Access | None, None] = {}
        for step, accesses in self._of_step.items():
            for index, access in enumerate(accesses):
                element = access.kind is Kind.CHANGE and access.place.endswith("[]")
                if (access.kind is Kind.WRITE or element) and is_part_of(read.place, access.place):
                    reached = self._reads([(step, index + 1)], read.place, nested=True)
                    if access.nested is not None or any(one.node is node for one in reached):
                        writers[access] = None
        from_before = self._reads([(self.graph.entry, 0)], read.place, nested=read.nested is not None)
        if any(one.node is node for one in from_before):
            writers[None] = None
        return list(writers)

    def exposed(self) -> set[str]:
        """The names that some execution reads before they are written, in functions that it defines too."""
        names = {one.place for one in self.all() if one.kind is Kind.READ and one.place.isidentifier()}
        begin = [(self.graph.entry, 0)]
        return {name for name in names if self._reads(begin, name, nested=False)}

    def loops_around(self, node: ast.AST) -> tuple[Loop, ...]:
        """The loops that evaluate an access or a statement again, the outermost first."""
        home = self._homes.get(node)
        steps = [home[0][0]] if home else [step for step in self.graph.steps if step.node is node]
        return steps[0].loops if steps else ()

    def varies_in(self, loop: Loop, node: ast.AST) -> bool:
        """Whether a loop writes or changes what an expression, definition or statement in it reads."""
        reads = {one.place for one in accesses_in(node) if one.kind is Kind.READ}
        own = {id(part) for part in ast.walk(node)}
        return any(
            access.kind is not Kind.READ
            and id(access.node) not in own
            and any(is_part_of(place, access.place) for place in reads)
            for step in self._inside(loop)
            for access in self._of_step[step]
        )

    def _inside(self, statement: ast.AST) -> list[Step]:
        nodes = {id(part) for part in ast.walk(statement)}
        return [step for step in self.graph.steps if id(step.node) in nodes]

    def all(self) -> Iterator[Access]:
        """Every access, those of nested functions to names from around them included."""
        for accesses in self._of_step.values():
            yield from accesses

    def _reads(self, begin: Iterable[tuple[Step, int]], place: str, *, nested: bool) -> list[Access]:
        """The reads of a place from some steps on, as far as nothing else is written there.

        `nested`: those of nested functions, wherever these are defined.
        """
        found = {
            one.node: one
            for one in (self.all() if nested else ())
            if one.nested is not None and one.kind is Kind.READ and one.place == place
        }
        seen: set[Step] = set()
        waiting = list(begin)
        while waiting:
            step, first = waiting.pop()
            going_on = True
            for access in self._of_step[step][first:]:
                if access.place == place and access.kind is Kind.READ:
                    found[access.node] = access
                if access.nested is None and access.kind in ENDING and is_part_of(place, access.place):
                    going_on = False
                    break
            ways = (*(step.next if going_on else ()), *(step.raises if not first else ()))
            waiting += [(each, 0) for each in ways if each not in seen]
            seen.update(ways)
        return list(found.values())


@remembered(512)
def def_use_of(owner: ast.AST) -> DefUse:
    """The accesses of a function or module, looked up once."""
    return DefUse(owner)


def _evaluates(step: Step, node: ast.AST) -> bool:
    """Whether a step does what a statement or expression says."""
    return step.node is node or any(
        part is node for each in (*step.reads, *step.binds) for part in ast.walk(each)
    )


def _makes_false(node: ast.AST, test: ast.expr) -> bool:
    """Whether it is `running = False`, and the condition `running`; or `done = True`, and `not done`."""
    negated = isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not)
    name = test.operand if isinstance(test, ast.UnaryOp) and negated else test
    if not isinstance(node, ast.Assign) or not isinstance(node.value, ast.Constant):
        return False
    named = isinstance(name, ast.Name) and any(place_of(target) == name.id for target in node.targets)
    return named and bool(node.value.value) is negated


def accesses_in(node: ast.AST) -> list[Access]:
    """What an expression or statement accesses, those of a nested function from around it alone."""
    if isinstance(node, ast.stmt):
        return list(DefUse(ast.Module(body=[node], type_ignores=[])).all())
    return list(_Walk(()).read(node, node))


def names_read(node: ast.AST) -> set[str]:
    """The names that an expression or statement reads from around it."""
    accesses = accesses_in(node)
    return {one.place for one in accesses if one.kind is Kind.READ and one.place.isidentifier()}


def names_bound(target: ast.AST) -> set[str]:
    """The names that a target of an assignment sets."""
    return {one.place for one in _Walk(()).bound(target, Kind.WRITE) if one.kind is Kind.WRITE}


def exposed_reads(statements: Iterable[ast.stmt]) -> set[str]:
    """The names that some execution of these statements reads before it has written them."""
    return DefUse(ast.Module(body=list(statements), type_ignores=[])).exposed()


def _accesses(step: Step) -> Iterator[Access]:
    """What a step does, in the order of evaluation."""
    deleting = isinstance(step.node, ast.Delete)
    asserting = isinstance(step.node, ast.Assert)
    walk = _Walk(step.loops, asserting=asserting)
    for node in step.reads:
        if isinstance(node, ast.AugAssign):
            yield from walk.read(node.target, node)
            yield from walk.read(node.value, node)
        else:
            yield from walk.read(node, step.node)
    for target in step.binds:
        yield from walk.bound(target, Kind.DELETE if deleting else Kind.WRITE)


@dataclasses.dataclass(frozen=True, slots=True)
class _Walk:
    """Reads an expression; `own` are the names that a nested function or comprehension has for itself."""

    loops: tuple[Loop, ...]
    asserting: bool = False
    own: frozenset[str] = NOWHERE
    nested: ast.AST | None = None

    def _access(
        self, place: str, kind: Kind, node: ast.AST, use: Use | None = None, method: str = ""
    ) -> Iterator[Access]:
        root = place.partition(".")[0].partition("[")[0]
        if place and root not in self.own:
            yield Access(place, kind, node, use, method, self.nested, self.loops)

    def read(self, node: ast.AST, parent: ast.AST, around: ast.AST | None = None) -> Iterator[Access]:
        """The accesses of an expression."""
        if isinstance(node, ast.Name | ast.Attribute | ast.Subscript):
            for part in ast.iter_child_nodes(node):
                yield from self.read(part, node, parent)
            use, method = self._use(node, parent, around)
            yield from self._access(place_of(node), Kind.READ, node, use, method)
            if use is Use.METHOD and method in CHANGING_METHODS:
                yield from self._access(place_of(node), Kind.CHANGE, node)
        elif isinstance(node, ast.NamedExpr):
            yield from self.read(node.value, node)
            yield from self._access(node.target.id, Kind.WRITE, node.target)
        elif isinstance(node, ast.Lambda):
            yield from self._function(node)
        elif isinstance(node, COMPREHENSIONS):
            yield from self._comprehension(node)
        else:
            for part in ast.iter_child_nodes(node):
                yield from self.read(part, node, parent)

    def _use(self, node: ast.AST, parent: ast.AST, around: ast.AST | None) -> tuple[Use, str]:
        if self.asserting:
            return Use.ASSERTED, ""
        if isinstance(parent, ast.Attribute):
            called = isinstance(around, ast.Call) and around.func is parent
            return (Use.METHOD, parent.attr) if called else (Use.ATTRIBUTE, "")
        if isinstance(parent, ast.Subscript) and parent.value is node:
            return Use.ELEMENT, ""
        if isinstance(parent, ast.Call) and parent.func is node:
            return Use.CALLED, ""
        if isinstance(parent, ast.Call | ast.keyword):
            call = around if isinstance(parent, ast.keyword) else parent
            return Use.GIVEN, getattr(getattr(call, "func", None), "attr", "")
        stored = isinstance(parent, STORING) and getattr(parent, "test", None) is not node
        return (Use.STORED if stored else Use.COMPUTED), ""

    def bound(self, target: ast.AST, kind: Kind) -> Iterator[Access]:
        """The accesses of what a statement binds or deletes."""
        if isinstance(target, ast.Subscript):
            yield from self.read(target.value, target)
            yield from self.read(target.slice, target)
            yield from self._access(place_of(target.value), Kind.CHANGE, target.value)
            yield from self._access(place_of(target), Kind.CHANGE, target)
        elif isinstance(target, ast.Attribute):
            yield from self.read(target.value, target)
            yield from self._access(place_of(target), kind, target)
        elif isinstance(target, ast.Tuple | ast.List):
            for element in target.elts:
                yield from self.bound(element, kind)
        elif isinstance(target, ast.Starred):
            yield from self.bound(target.value, kind)
        elif isinstance(target, ast.pattern):
            for part in ast.walk(target):
                name = getattr(part, "rest" if isinstance(part, ast.MatchMapping) else "name", None)
                yield from self._access(name or "", kind, part)
        elif isinstance(target, ast.alias):
            yield from self._access((target.asname or target.name).partition(".")[0], kind, target)
        elif isinstance(target, ast.Name | ast.arg):
            yield from self._access(place_of(target), kind, target)
        else:
            yield from self._access(getattr(target, "name", None) or "", kind, target)
            if isinstance(target, (*FUNCTIONS, ast.ClassDef)):
                yield from self._function(target)

    def _comprehension(self, node: ast.AST) -> Iterator[Access]:
        inner = self
        for generator in getattr(node, "generators", ()):
            yield from inner.read(generator.iter, generator)
            names = {part.id for part in ast.walk(generator.target) if isinstance(part, ast.Name)}
            inner = dataclasses.replace(inner, own=inner.own | names)
            for test in generator.ifs:
                yield from inner.read(test, generator)
        for part in ast.iter_child_nodes(node):
            if not isinstance(part, ast.comprehension):
                yield from inner.read(part, node)

    def _function(self, node: ast.AST) -> Iterator[Access]:
        """What a nested function or class does with names from around it."""
        inner = def_use_of(node)
        accesses = list(inner.all())
        outer = {
            name
            for part in ast.walk(node)
            if isinstance(part, ast.Global | ast.Nonlocal)
            for name in part.names
        }
        own = {
            one.place
            for one in accesses
            if one.kind is Kind.WRITE and one.nested is None and one.place.isidentifier()
        }
        for one in accesses:
            root = one.place.partition(".")[0].partition("[")[0]
            if root not in self.own and (root not in own or root in outer):
                yield dataclasses.replace(one, nested=node, loops=self.loops)


def _position(node: ast.AST) -> tuple[int, int]:
    return getattr(node, "lineno", 0), getattr(node, "col_offset", 0)
