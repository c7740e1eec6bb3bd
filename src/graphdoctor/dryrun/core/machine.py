"""The state of a dry run, and the one way in which statements, expressions and calls are run."""

from __future__ import annotations

import ast
import contextlib
from collections.abc import Callable, Hashable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final, TypeVar

from graphdoctor.dryrun.control.flow import NEXT, Flow, OutOfBudget
from graphdoctor.dryrun.core.context import EAGER_ON, Activation, Graph, LoopRun, Scope, SourceModule
from graphdoctor.dryrun.core.escape_analysis import mark_escaped
from graphdoctor.dryrun.core.heap import Heap
from graphdoctor.dryrun.values import UNKNOWN, Cells, Origin, Tape, Value, terms
from graphdoctor.dryrun.values.structural_equality import Equivalents
from graphdoctor.recording.format import ASSUMED, MAY, MUST, SHOWN, SOME

if TYPE_CHECKING:
    from graphdoctor.dryrun.control.path_conditions import BranchChoice
    from graphdoctor.dryrun.control.self_closing_guards import Guard
    from graphdoctor.dryrun.core.arguments import Arguments
    from graphdoctor.dryrun.core.event_log import Log
    from graphdoctor.dryrun.core.program import Program
    from graphdoctor.dryrun.tracing.initial_values import AutomaticBuild

# What nothing is registered for does nothing, and gives what is unknown.
STATEMENTS: Final[dict[type[ast.AST], Callable[[Machine, Any], Flow | None]]] = dict.fromkeys(
    ast.stmt.__subclasses__(), lambda machine, node: None
)
EXPRESSIONS: Final[dict[type[ast.AST], Callable[[Machine, Any], Value]]] = dict.fromkeys(
    ast.expr.__subclasses__(), lambda machine, node: UNKNOWN
)
CALLS: Final[dict[type[Value], Callable[[Machine, Any, Arguments, ast.AST], Value]]] = {}
ATTRIBUTE: Final = "attribute"
ACCESSES: Final[dict[str, Callable[[Machine, Value, str, ast.AST], Value]]] = {}
Handler = TypeVar("Handler", bound=Callable[..., Any])


def statement(*types: type[ast.AST]) -> Callable[[Handler], Handler]:
    """Registers what runs a kind of statement."""
    return registering(STATEMENTS, types)


def expression(*types: type[ast.AST]) -> Callable[[Handler], Handler]:
    """Registers what evaluates a kind of expression."""
    return registering(EXPRESSIONS, types)


def calls(*types: type[Value]) -> Callable[[Handler], Handler]:
    """Registers what happens when a kind of value is called."""
    return registering(CALLS, types)


def registering(table: dict[Any, Any], keys: Sequence[Any]) -> Callable[[Handler], Handler]:
    """Puts what it decorates into a table, under each of the keys."""

    def register(handler: Handler) -> Handler:
        for key in keys:
            table[key] = handler
        return handler

    return register


READERS: Final = ("__getattr__", "__getattribute__", "__getitem__")
WRITERS: Final = ("__setattr__", "__setitem__")
# What each entry of a program starts with, and what a program that runs in between has for itself.
OF_A_RUN: Final = (
    "activations", "loops", "graphs", "graph", "tapes", "paused", "opened", "guards", "reading", "may",
    "sometimes", "steps", "limit", "evidence", "is_program", "log", "called", "eager_switch", "graph_switch",
    "keras_dtype", "iterated", "varying_conditions", "equivalents", "budget_exhausted",
    "asked", "some", "looked", "quiet", "ended", "outlived_loops", "assumed",
)  # fmt: skip


LAST_SHARE: Final = 8  # the part of a budget that is added to bring to its end what is under way


class Machine:
    """One dry run of a program: where it stands, what it knows, and what it has written down."""

    __slots__ = (
        *OF_A_RUN, "building", "chosen", "compiled", "doubted", "entry", "heap", "program", "retrained",
        "saved", "stamps", "taken", "written",
    )  # fmt: skip

    def __init__(self, program: Program, log: Log) -> None:
        self.program = program
        self.log: Log
        self.called: set[ast.AST]
        self.heap = Heap()
        self.entry = 0
        self.written: dict[tuple[int, Any], tuple[SourceModule, ast.AST]] = {}  # where cells got their value
        # What conditions have chosen, with the cells that each asks: `path_conditions.py`.
        self.chosen: dict[tuple[Hashable, ...], tuple[object, Cells, list[BranchChoice]]] = {}
        self.stamps: dict[tuple[int, Any], int] = {}  # in which step cells got their value
        self.doubted: set[tuple[int, Any]] = set()  # cells that got their value where it is unknown whether
        # When `trainable` of an object got another value, and when a model was compiled, by their cells.
        self.retrained: dict[int, int] = {}
        self.compiled: dict[int, int] = {}
        self.taken: set[tuple[int, Any]] = set()  # cells whose last value a trace has read
        self.saved: Cells = {}  # what `tf.saved_model.save` has written, by its folder
        self.is_program = False  # this entry is what `python file.py` runs
        self.eager_switch = False  # `tf.config.run_functions_eagerly(True)`
        self.graph_switch = EAGER_ON  # whether TensorFlow 1's graph may be open: eager execution is off
        self.keras_dtype: str | None = "float32"  # in which Keras computes, as the program's policy says
        self.building: AutomaticBuild | None = None  # Keras 3 runs a `call` to build its layer
        self.evidence = SHOWN  # whether what this entry traces is certainly traced
        self.attach(log)
        self.begin(0)

    def begin(self, limit: int) -> None:
        """Nothing is under way, and so many steps may be taken."""
        self.activations: list[Activation] = []
        self.loops: list[LoopRun] = []
        self.outlived_loops = 0  # how many of them a cache outlasts, which keeps what is made now
        self.graphs: list[Graph | None] = []
        self.graph: Graph | None = None  # the one that operations go to now; None in eager code
        self.tapes: list[Tape] = []
        self.opened: set[int] = set()  # the numbers of all tapes of this entry
        self.paused: list[Tape] = []  # tapes inside `stop_recording`
        self.may = 0
        self.sometimes = 0  # conditions around this place that hold at some iterations of a loop
        self.varying_conditions: list[frozenset[LoopRun]] = []  # the loops at whose iterations these differ
        self.some = 0  # those that hold in some runs of the program
        self.asked = 0  # options around this place that are not as the program leaves them
        self.looked: set[ast.AST] = set()  # the conditions of which this entry has seen the other way
        self.guards: list[Guard] = []  # conditions that code under them may close
        self.reading: set[tuple[int, Any]] | None = None  # what the condition that is evaluated reads
        self.iterated: set[ast.AST] = set()  # the loops of this entry of which a later iteration was seen
        self.quiet: set[ast.AST] = set()  # those of which it reported nothing that the first did not
        self.equivalents = Equivalents()
        self.steps = 0
        self.limit = limit  # the steps of an entry: `entry_points.py`; of a module: `program.py`
        self.budget_exhausted = False  # the budget has ended: calls are no longer followed
        self.ended = False  # the program has raised before, as far as it was read
        self.assumed = False  # this entry is a function that nothing calls

    @contextlib.contextmanager
    def apart(self, limit: int) -> Iterator[None]:
        """While open, another program runs: nothing of what is under way is seen, undone, or written down."""
        before = {name: getattr(self, name) for name in OF_A_RUN}
        self.begin(limit)
        self.graph_switch, self.evidence, self.is_program = EAGER_ON, SHOWN, False
        self.attach(type(self.log)())
        try:
            with self.heap.apart():
                yield
        finally:
            for name, value in before.items():
                setattr(self, name, value)

    @contextlib.contextmanager
    def assuming(self) -> Iterator[None]:
        """While open, it is assumed that what is traced is traced at all."""
        around, self.evidence = self.evidence, ASSUMED
        try:
            yield
        finally:
            self.evidence = around

    @contextlib.contextmanager
    def in_graph(self, graph: Graph | None) -> Iterator[None]:
        """While open, operations go to this graph; None: they run."""
        self.enter_graph(graph)
        try:
            yield
        finally:
            self.leave_graph()

    @contextlib.contextmanager
    def perhaps(self, unsure: bool = True) -> Iterator[None]:
        """While open, what happens is one of several things that may happen."""
        self.may += unsure
        try:
            yield
        finally:
            self.may -= unsure

    def attach(self, log: Log) -> None:
        """Write to another log from now on."""
        self.log = log
        log.machine = self
        self.called = set()

    def let_go(self) -> None:
        """Empty all that refers to each other or to syntax, so that it is free at once."""
        self.program.let_go()
        self.attach(type(self.log)())
        self.activations.clear()
        self.written.clear()
        self.taken.clear()
        self.chosen.clear()
        self.stamps.clear()
        terms.let_go()

    def enter_graph(self, graph: Graph | None) -> None:
        """From now on operations go to this graph; None: they run."""
        self.graphs.append(graph)
        self.graph = graph

    def leave_graph(self) -> None:
        """Operations go where they went before."""
        self.graphs.pop()
        self.graph = self.graphs[-1] if self.graphs else None

    @property
    def unsure(self) -> bool:
        """Whether what happens here does not happen each time."""
        return bool(self.may or self.some or self.sometimes)

    @property
    def reached(self) -> str:
        """How certain it is that a run comes here, and what it finds: not where calls are passed over."""
        unsure = self.may or self.budget_exhausted or self.ended
        return MAY if unsure else SOME if self.some or self.asked else MUST

    def end(self) -> None:
        """Note that the program ends here with an exception.

        It has never come further; or it does, and was misread. What follows is not certain either way. A
        function that nothing calls is given other arguments by those who do.
        """
        if not (self.assumed or self.unsure or self.asked or self.budget_exhausted or self.caught):
            self.ended = True

    @property
    def activation(self) -> Activation:
        return self.activations[-1]

    @property
    def module(self) -> SourceModule:
        return self.activations[-1].module

    @property
    def scope(self) -> Scope:
        return self.activations[-1].scope

    @property
    def unconverted(self) -> str:
        """Why AutoGraph does not convert the code that runs now; empty when it does."""
        graph = self.graph
        if graph is None:
            return ""
        within = self.activations[-1].scope.graph
        if within is not None and within.base is graph.base:
            return self.activations[-1].unconverted
        return graph.base.unconverted

    @property
    def expected(self) -> bool:
        """Whether the program is there for an exception that leaves this place: a test of it, say."""
        return any(each.expecting for each in self.activations)

    @property
    def caught(self) -> bool:
        """Whether the program catches what is raised here."""
        return any(each.handlers or each.expecting for each in self.activations)

    @property
    def surely_unconverted(self) -> bool:
        """Whether it is known that AutoGraph does not convert it: not where Keras 2 or 3 may run it."""
        return self.unconverted not in ("", "keras?")

    @property
    def guarded(self) -> bool:
        """Whether traced code itself catches what is raised here."""
        return any(
            (each.handlers or each.expecting) and each.scope.graph is not None for each in self.activations
        )

    def note_written(self, cells: object, key: Any, node: ast.AST) -> None:
        """Remember where a name, attribute or element was last given a value."""
        writer, at = self.activations[-1], node
        if writer.function is not None and writer.function.name in WRITERS:
            writer = self.outside(WRITERS)
            at = writer.statement or node if writer is not self.activations[-1] else node
        place = (id(cells), key)
        self.stamps[place] = self.steps
        self.taken.discard(place)
        (self.doubted.add if self.may else self.doubted.discard)(place)
        if hasattr(at, "lineno"):
            self.written[id(cells), key] = (writer.module, at)

    def outside(self, names: Sequence[str]) -> Activation:
        """The innermost call under way of a function that is named otherwise."""
        inner = (
            each for each in reversed(self.activations) if each.function is None or each.name not in names
        )
        return next(inner, self.activations[-1])

    def attribute(self, holder: Value, name: str, node: ast.AST) -> Value:
        """`holder.name`."""
        return ACCESSES[ATTRIBUTE](self, holder, name, node)

    def call_method(self, holder: Value, name: str, arguments: Arguments, node: ast.AST) -> Value:
        """`holder.name(…)`, as Python calls `__len__` and the like."""
        return self.call(self.attribute(holder, name, node), arguments, node)

    def ask(self, accessor: Value, arguments: Arguments, node: ast.AST) -> Value:
        """What an accessor of the program's own gives (`__getattr__`, `__getitem__`), asked by this node."""
        activation = self.activations[-1]
        around, activation.node = activation.node, node
        try:
            return self.call(accessor, arguments, node)
        finally:
            activation.node = around

    def origin(self, node: ast.AST) -> Origin:
        """Here and now, for something that is being made."""
        loops = tuple(self.loops[self.outlived_loops :]) if self.loops else ()
        made = Origin(self.activations[-1].module, node, loops, self.graph)
        if self.may:
            made.doubtful = True
        return made

    def is_outer(self, graph: Graph | None) -> bool:
        """Whether what was made in this graph lies outside the trace that is under way."""
        now = self.graph
        if now is None:
            return False
        return graph is None or graph.root is not now.root

    def step(self) -> None:
        """Count one step; OutOfBudget when the entry has had its share."""
        self.steps += 1
        if self.steps > self.limit:
            raise OutOfBudget

    def exhaust_budget(self) -> bool:
        """Whether what is under way may still come to its end, without following any call from now on."""
        if self.budget_exhausted:
            return False
        self.budget_exhausted = True
        self.limit += self.limit // LAST_SHARE
        return True

    def execute(self, body: Sequence[ast.stmt]) -> Flow:
        """Run statements one after the other, as long as they end normally."""
        for node in body:
            self.steps += 1
            if self.steps > self.limit:
                raise OutOfBudget
            activation = self.activations[-1]
            activation.node = activation.statement = node
            flow = STATEMENTS[node.__class__](self, node)
            if flow is not None and flow is not NEXT:
                return flow
        return NEXT

    def evaluate(self, node: ast.expr) -> Value:
        """The value of an expression."""
        self.steps += 1  # as in `execute`; a call of `step` would cost a tenth of all
        if self.steps > self.limit:
            raise OutOfBudget
        return EXPRESSIONS[node.__class__](self, node)

    def call(self, callee: Value, arguments: Arguments, node: ast.AST) -> Value:
        """What calling a value gives."""
        handler = CALLS.get(callee.__class__)
        if handler is not None:
            return handler(self, callee, arguments, node)
        return hand_over(self, arguments)


def hand_over(machine: Machine, arguments: Arguments) -> Value:
    """What a call of something unknown gives; it may ask a tape to watch anything, and ask it."""
    for value in arguments:
        mark_escaped(machine.heap, value)
    return UNKNOWN
