"""Where the dry run stands: modules, scopes, calls under way, loops and graphs."""

from __future__ import annotations

import ast
import itertools
from collections.abc import Callable
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


class SourceModule:
    """A file of the project: its syntax, its dotted name, and its scope once it was run."""

    __slots__ = (
        "definitions", "eager", "ended", "flags", "graphs", "imports", "keras", "keras_dtype", "name",
        "places", "scope", "state", "syntax", "tensor_methods", "transparent",
    )  # fmt: skip

    def __init__(self, syntax: Syntax, name: str, transparent: bool = False) -> None:
        self.syntax = syntax
        self.name = name
        self.transparent = transparent  # it stands for a library: what it does is done where it is called
        self.scope = Scope(None, self)
        self.state = ""  # then "running", then "loaded"
        self.ended = False  # it raises before its own end
        self.eager = False  # it switches graph functions off, for all who import it
        self.graphs = EAGER_ON  # whether it switches eager execution off, for all who import it
        self.keras_dtype: str | None = "float32"  # in which Keras computes, for all who import it
        self.keras: int | None = syntax.keras_generation
        self.imports: dict[SourceModule, None] = {}  # modules of the project, in this order
        self.flags: Cells = {}  # the options that it defines for the whole program
        self.tensor_methods: set[str] = set()  # those that it gives to tensors; `*`: all that arrays have
        self.places: dict[ast.AST, Place] = {}
        self.definitions: dict[ast.AST, Definition] = {}

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


class Scope:
    """The names of a module, class, function or comprehension; `graph` is the one it was made in."""

    __slots__ = ("cells", "global_names", "graph", "kind", "module", "outer_names", "parent", "staged")

    def __init__(
        self, parent: Scope | None, module: SourceModule, kind: str = "module", graph: Graph | None = None
    ) -> None:
        self.parent = parent
        self.module = module
        self.kind = kind
        self.graph = graph
        self.cells: Cells = {}
        self.global_names: tuple[str, ...] = ()
        self.outer_names: tuple[str, ...] = ()
        self.staged: dict[str, int] = {}  # names that AutoGraph gave another place, and when


class LoopRun:
    """A loop that is being run: its place, its number of iterations (None: unknown), and the present one."""

    __slots__ = (
        "activation",
        "begun",
        "certain",
        "count",
        "doubtful",
        "driver",
        "exact",
        "first_iteration",
        "goes_on",
        "graph",
        "iteration",
        "left",
        "makes",
        "module",
        "node",
        "operations",
        "own_weights",
        "staged",
        "step",
        "targets",
    )

    def __init__(
        self,
        node: ast.AST,
        module: SourceModule,
        count: int | None,
        activation: Activation,
        graph: bool = False,
    ) -> None:
        self.node = node
        self.module = module
        self.count = count
        self.activation = activation
        self.graph = graph
        self.staged = activation.staged  # how many staged branches were open when it began
        self.iteration = self.first_iteration = 1  # the one under way, and the first that was run
        self.begun = 0  # when this iteration did, among what is numbered
        self.step = 0  # and how many steps the program had made
        self.certain = True  # whether it is surely Python that runs it, or TensorFlow
        self.exact = False
        self.driver = False  # no loop of the program: a driver calls methods again and again
        self.doubtful = False  # whether it may have no iteration at all: a generator decides
        self.operations = 0
        self.own_weights = False  # whether it goes through what has weights: the layers of a model
        # the names of the call, as each way had them that ended an iteration early
        self.left: list[Cells] = []
        self.targets: set[tuple[int, Any]] = set()
        self.makes: dict[ast.AST, set[int]] = {}  # at which iterations each `tf.function` made an object
        self.goes_on = False  # whether an iteration begins to change what later ones go on with

    def __repr__(self) -> str:
        return f"loop at line {getattr(self.node, 'lineno', 0)}"


class Graph:
    """A graph under construction: a trace, or the part of one that a staged branch or loop fills.

    `unconverted` says why AutoGraph does not convert the code that runs in it, and is empty when it does.
    `first`: variables may still be made. `trace` is the trace's number, `evidence` and `shown_by` whether
    and by what it is certain that the code is traced at all.
    """

    __slots__ = (
        "base",
        "begun",
        "building",
        "content",
        "empty",
        "evidence",
        "first",
        "first_loop",
        "function",
        "kept",
        "keras",
        "kind",
        "loop",
        "made_variables",
        "may",
        "number",
        "operations",
        "parent",
        "root",
        "seeded",
        "shown_by",
        "tested",
        "trace",
        "training",
        "unconverted",
        "xla",
    )

    def __init__(
        self,
        parent: Graph | None,
        kind: str,
        function: GraphFunction | None = None,
        unconverted: str = "",
        trace: int = 0,
    ) -> None:
        self.number = next(numbers)
        self.parent = parent
        self.kind = kind  # trace · if · loop · callback
        self.function = function
        self.unconverted = unconverted
        self.loop: LoopRun | None = None  # whose iteration it is
        self.trace = trace
        self.root: Graph = self
        self.base: Graph = self  # the graph around staged branches and loops, whose maker converts or not
        self.first = True
        self.first_loop = 0  # how many loops were under way around the whole trace
        self.made_variables = 0
        self.may = 0  # how many conditions of Python's that are unknown stood before it
        self.operations = 0
        self.content: list[str] | None = []  # what was made, in order; None if unknown
        self.empty = True  # nothing but Python's own functions has been called in it
        self.keras = False
        self.kept: dict[int, Value] = {}  # objects made in it that stay when it is over, by their cells
        self.building: object = None  # the automatic build of Keras 3 that began it
        self.xla = False
        self.begun: set[tuple[int, Any]] = set()  # the cells that it sets again before it counts in them
        self.seeded: set[str] = set()  # the generators of Python and NumPy that it has set to a seed
        self.training: Value | None = None  # what Keras passes on as `training` in a step of its own
        self.evidence = SHOWN
        self.shown_by: Place | None = None
        self.tested: bool = parent is not None and parent.tested  # the graph of a test, made for one run
        if parent is not None and kind != "trace":
            self.root = parent.root
            self.trace = parent.trace
            self.first = parent.first
            self.first_loop = parent.first_loop
            self.keras = parent.keras
            self.xla = parent.xla
            self.evidence = parent.evidence
            self.shown_by = parent.shown_by
            self.function = function or parent.function

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


class Returned:
    """One `return` of a call under way: its value, where, and how deep in staged branches.

    `may` is how many conditions of Python's that are unknown stand before it.
    """

    __slots__ = ("depth", "may", "node", "value")

    def __init__(self, value: Value, node: ast.AST, depth: int, may: int = 0) -> None:
        self.value = value
        self.node = node
        self.depth = depth
        self.may = may


class Yielding:
    """What a generator under way has yielded, and whether each of them is known to come, in this order.

    `depth` and `may` are those of the machine when it began; `loop` is the one that goes through it,
    `consumer` runs that loop's body for a value, and `around` is the `with` that the generator serves.
    """

    __slots__ = ("around", "certain", "consumer", "depth", "loop", "may", "raised", "values")

    def __init__(self, loop: LoopRun | None, depth: int, may: int) -> None:
        self.loop = loop
        self.depth = depth
        self.may = may
        self.values: list[Value] = []
        self.certain = True
        self.raised: Raised | None = None  # what the body of that loop has raised
        self.consumer: Callable[[Value], None] | None = None
        self.around: Around | None = None


class Around:
    """A `with` that a generator serves: its `block`, how many loops were under way, how the block ended."""

    __slots__ = ("block", "flow", "loops", "raised")

    def __init__(self, block: Callable[[Value], Flow], loops: int) -> None:
        self.block = block
        self.loops = loops
        self.flow: Flow | None = None
        self.raised = False


class Activation:
    """A call under way: the function, its scope, and where in it we are."""

    __slots__ = (
        "blocker",
        "bound",
        "entered",
        "expecting",
        "first_loop",
        "frame",
        "function",
        "given",
        "guards",
        "handlers",
        "loop",
        "may_rest",
        "module",
        "node",
        "owner",
        "passing",
        "receiver",
        "returns",
        "scope",
        "staged",
        "staged_returns",
        "statement",
        "switched",
        "unconverted",
        "within",
        "yields",
    )

    def __init__(
        self, function: Function | None, scope: Scope, module: SourceModule, first_loop: int
    ) -> None:
        self.function = function
        self.scope = scope
        self.module = module
        self.loop: LoopRun | None = None  # the innermost one of its own that is under way
        self.first_loop = first_loop
        self.node: ast.AST | None = function.node if function is not None else None
        self.statement: ast.stmt | None = None
        self.owner: Class | None = function.owner if function is not None else None
        self.receiver: Value | None = None
        self.passing = False  # nobody can ask for its names once it is over
        self.given: dict[str, Value] = {}  # what its parameters were when it began
        self.returns: list[Returned] = []
        self.yields: Yielding | None = None  # of a generator's body
        self.staged = 0  # how many staged branches and loops of this very call are open
        self.staged_returns = 0
        self.unconverted = ""  # why AutoGraph left this very function alone
        self.blocker: Place | None = None  # what in the source keeps it from converting it
        self.bound: dict[str, ast.AST] = {}  # the statement that last set each name
        self.entered = ""
        self.frame: tuple[object, Frame] | None = None  # how a recording named it last, and where it was then
        self.may_rest = 0  # unknown conditions after which only a part of the paths goes on
        self.guards: list[Guard] = []  # conditions under which only the rest of the call stands
        self.handlers = 0  # `try` blocks with handlers around the place
        self.switched = False  # this very call, if it is made, has switched graphs off
        self.within = 0  # `with` blocks around the place that may open a graph of TensorFlow 1
        self.expecting = 0  # `with` blocks around the place that expect an exception

    @property
    def name(self) -> str:
        return self.function.name if self.function is not None else "<module>"
