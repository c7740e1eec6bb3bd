"""Where the dry run stands: modules, scopes, calls under way, loops and graphs."""

from __future__ import annotations

import ast
import itertools
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from graphdoctor.dryrun.control.flow import Raised
from graphdoctor.dryrun.values import Cells, Class, Function, GraphFunction, Value
from graphdoctor.model.digests import digest
from graphdoctor.recording.format import SHOWN, Definition, Frame, Place

if TYPE_CHECKING:
    from graphdoctor.dryrun.control.flow import Flow
    from graphdoctor.dryrun.control.self_closing_guards import Guard
    from graphdoctor.source.module import Module as Syntax

numbers: Final = itertools.count(1)
# Whether eager execution is on; doubted after the import of a library that is unknown.
EAGER_ON, EAGER_DOUBTED, EAGER_OFF = 0, 1, 2


@dataclass(slots=True, eq=False, repr=False)
class SourceModule:
    """A file of the project: its syntax, its dotted name, and its scope once it was run."""

    syntax: Syntax
    name: str
    transparent: bool = False  # it stands for a library: what it does is done where it is called
    scope: Scope = field(init=False)
    state: str = ""  # then "running", then "loaded"
    ended: bool = False  # it raises before its own end
    eager: bool = False  # it switches graph functions off, for all who import it
    graphs: int = EAGER_ON  # whether it switches eager execution off, for all who import it
    keras_dtype: str | None = "float32"  # in which Keras computes, for all who import it
    keras: int | None = field(init=False)
    imports: dict[SourceModule, None] = field(default_factory=dict)  # modules of the project, in this order
    flags: Cells = field(default_factory=dict)  # the options that it defines for the whole program
    # Those that it gives to tensors; `*`: all that arrays have
    tensor_methods: set[str] = field(default_factory=set)
    places: dict[ast.AST, Place] = field(default_factory=dict)
    definitions: dict[ast.AST, Definition] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.scope = Scope(None, self)
        self.keras = self.syntax.keras_generation

    def let_go(self) -> None:
        """Forget what is known of its nodes; with the module and its scope they would stay for ever."""
        self.places.clear()
        self.definitions.clear()

    @property
    def path(self) -> str:
        return self.syntax.path

    @property
    def is_package(self) -> bool:
        return self.path.endswith("__init__.py")


@dataclass(slots=True, eq=False, repr=False)
class Scope:
    """The names of a module, class, function or comprehension; `graph` is the one it was made in."""

    parent: Scope | None
    module: SourceModule
    kind: str = "module"
    graph: Graph | None = None
    cells: Cells = field(default_factory=dict)
    global_names: tuple[str, ...] = ()
    outer_names: tuple[str, ...] = ()
    staged: dict[str, int] = field(default_factory=dict)  # names that AutoGraph gave another place, and when


@dataclass(slots=True, eq=False)
class LoopRun:
    """A loop that is being run: its place, its number of iterations (None: unknown), and the present one."""

    node: ast.AST
    module: SourceModule
    count: int | None
    activation: Activation
    graph: bool = False
    staged: int = field(init=False)  # how many staged branches were open when it began
    iteration: int = 1  # the one under way
    first_iteration: int = 1  # the first that was run
    begun: int = 0  # when this iteration did, among what is numbered
    step: int = 0  # and how many steps the program had made
    certain: bool = True  # whether it is surely Python that runs it, or TensorFlow
    exact: bool = False
    driver: bool = False  # no loop of the program: a driver calls methods again and again
    doubtful: bool = False  # whether it may have no iteration at all: a generator decides
    operations: int = 0
    own_weights: bool = False  # whether it goes through what has weights: the layers of a model
    # The names of the call, as each path had them that ended an iteration early
    left: list[Cells] = field(default_factory=list)
    targets: set[tuple[int, Any]] = field(default_factory=set)
    # At which iterations each `tf.function` made an object
    makes: dict[ast.AST, set[int]] = field(default_factory=dict)
    goes_on: bool = False  # whether an iteration begins to change what later ones go on with

    def __post_init__(self) -> None:
        self.staged = self.activation.staged

    def __repr__(self) -> str:
        return f"loop at line {getattr(self.node, 'lineno', 0)}"


@dataclass(slots=True, eq=False)
class Graph:
    """A graph under construction: a trace, or the part of one that a staged branch or loop fills.

    `unconverted` says why AutoGraph does not convert the code that runs in it, and is empty when it does.
    `first`: variables may still be made. `trace` is the trace's number, `evidence` and `shown_by` whether
    and by what it is certain that the code is traced at all.
    """

    parent: Graph | None
    kind: str  # trace · if · loop · callback
    function: GraphFunction | None = None
    unconverted: str = ""
    trace: int = 0
    number: int = field(default_factory=lambda: next(numbers))
    loop: LoopRun | None = None  # whose iteration it is
    root: Graph = field(init=False)
    base: Graph = field(init=False)  # the graph around staged branches and loops, whose maker converts or not
    first: bool = True
    first_loop: int = 0  # how many loops were under way around the whole trace
    may: int = 0  # how many conditions of Python's that are unknown stood before it
    operations: int = 0
    content: list[str] | None = field(default_factory=list)  # what was made, in order; None if unknown
    empty: bool = True  # nothing but Python's own functions has been called in it
    keras: bool = False
    # Objects made in it that stay when it is over, by their cells
    kept: dict[int, Value] = field(default_factory=dict)
    building: object = None  # the automatic build of Keras 3 that began it
    xla: bool = False
    # The cells that it sets again before it counts in them
    begun: set[tuple[int, Any]] = field(default_factory=set)
    # The generators of Python and NumPy that it has set to a seed
    seeded: set[str] = field(default_factory=set)
    training: Value | None = None  # what Keras passes on as `training` in a step of its own
    evidence: str = SHOWN
    shown_by: Place | None = None
    tested: bool = field(init=False)  # the graph of a test, made for one run

    def __post_init__(self) -> None:
        parent = self.parent
        self.root = self.base = self
        self.tested = parent is not None and parent.tested
        if parent is not None and self.kind != "trace":
            self.root = parent.root
            self.trace = parent.trace
            self.first = parent.first
            self.first_loop = parent.first_loop
            self.keras = parent.keras
            self.xla = parent.xla
            self.evidence = parent.evidence
            self.shown_by = parent.shown_by
            self.function = self.function or parent.function

    def note(self, node: ast.AST | None, *made: object) -> None:
        """Something was made, or chosen by a number, that distinguishes this trace from others."""
        content = self.root.content
        if content is not None:
            line, column = getattr(node, "lineno", 0), getattr(node, "col_offset", 0)
            text = str(made[0]) if len(made) == 1 else " ".join(map(str, made))
            content.append(f"{line}:{column} {text}")

    @property
    def fingerprint(self) -> str | None:
        """The same for two traces that made the same graph, up to constants and sizes; None: not known."""
        if self.content is None:
            return None
        return digest("\n".join(self.content).encode(), 8)

    @property
    def loops(self) -> tuple[LoopRun, ...]:
        """The loops of its trace that remake, at each iteration, what is made in it; the innermost first."""
        own = (self.loop,) if self.loop is not None else ()
        around = self.parent.loops if self.parent is not None and self.kind != "trace" else ()
        return (*own, *around)

    def within(self, other: Graph) -> bool:
        """Whether this is the other graph, or a part of it."""
        graph: Graph | None = self
        while graph is not None:
            if graph is other:
                return True
            graph = graph.parent if graph.kind != "trace" else None
        return False


@dataclass(slots=True, eq=False)
class Returned:
    """One `return` of a call under way: its value, where, and how deep in staged branches.

    `may` is how many conditions of Python's that are unknown stand before it.
    """

    value: Value
    node: ast.AST
    depth: int
    may: int = 0


@dataclass(slots=True, eq=False)
class Yielding:
    """What a generator under way has yielded, and whether each of them is known to come, in this order.

    `depth` and `may` are those of the machine when it began; `loop` is the one that goes through it,
    `consumer` runs that loop's body for a value, and `around` is the `with` that the generator serves.
    """

    loop: LoopRun | None
    depth: int
    may: int
    values: list[Value] = field(default_factory=list)
    certain: bool = True
    raised: Raised | None = None  # what the body of that loop has raised
    consumer: Callable[[Value], None] | None = None
    around: Around | None = None


@dataclass(slots=True, eq=False)
class Around:
    """A `with` that a generator serves: its `block`, how many loops were under way, how the block ended."""

    block: Callable[[Value], Flow]
    loops: int
    flow: Flow | None = None
    raised: bool = False


@dataclass(slots=True, eq=False)
class Activation:
    """A call under way: the function, its scope, and where in it we are."""

    function: Function | None
    scope: Scope
    module: SourceModule
    first_loop: int
    loop: LoopRun | None = None  # the innermost one of its own that is under way
    node: ast.AST | None = field(init=False)
    statement: ast.stmt | None = None
    owner: Class | None = field(init=False)
    receiver: Value | None = None
    passing: bool = False  # nobody can ask for its names once it is over
    given: dict[str, Value] = field(default_factory=dict)  # what its parameters were when it began
    returns: list[Returned] = field(default_factory=list)
    yields: Yielding | None = None  # of a generator's body
    staged: int = 0  # how many staged branches and loops of this very call are open
    staged_returns: int = 0
    unconverted: str = ""  # why AutoGraph left this very function alone
    blocker: Place | None = None  # what in the source keeps it from converting it
    bound: dict[str, ast.AST] = field(default_factory=dict)  # the statement that last set each name
    entered: str = ""
    frame: tuple[object, Frame] | None = None  # how a recording named it last, and where it was then
    may_rest: int = 0  # unknown conditions after which only a part of the paths goes on
    # Conditions under which only the rest of the call stands
    guards: list[Guard] = field(default_factory=list)
    handlers: int = 0  # `try` blocks with handlers around the place
    switched: bool = False  # this very call, if it is made, has switched graphs off
    within: int = 0  # `with` blocks around the place that may open a graph of TensorFlow 1
    expecting: int = 0  # `with` blocks around the place that expect an exception

    def __post_init__(self) -> None:
        self.node = self.function.node if self.function is not None else None
        self.owner = self.function.owner if self.function is not None else None

    @property
    def name(self) -> str:
        return self.function.name if self.function is not None else "<module>"
