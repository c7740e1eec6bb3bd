"""The lines of a recording, as `observer` writes them."""

import msgspec

from graphdoctor.model import FunctionRef
from graphdoctor.recording.notes import Note

FORMAT = "graphdoctor-recording"
FORMAT_VERSION = 1


class Header(msgspec.Struct, frozen=True, tag_field="event", tag="header"):
    """The first line: who recorded what."""

    format: str
    version: int
    graphdoctor: str
    tensorflow: str
    python: str
    program: tuple[str, ...]
    directory: str
    process: int
    time: float
    parent: int = 0
    worker: str = ""


class Argument(msgspec.Struct, frozen=True):
    """What the cache key holds of one argument, or of one part of it.

    kind: tensor · value (compared by ==) · object (compared by identity) · list, tuple, dict, record · other
    """

    path: str
    kind: str
    type: str = ""
    text: str = ""
    dtype: str = ""
    shape: tuple[int | None, ...] | None = None
    identity: int = 0
    length: int = 0
    keys: tuple[str, ...] = ()


class Site(msgspec.Struct, frozen=True):
    """The line of the user's code that led to a trace; `entered` is the library function it called."""

    path: str
    line: int
    function: str
    entered: str | None = None


class Failure(msgspec.Struct, frozen=True):
    """An exception: its essential words, and the innermost line of the user's own code."""

    type: str
    message: str
    path: str
    line: int
    through: str = ""


class Crash(msgspec.Struct, frozen=True, tag_field="event", tag="crash"):
    """The exception that ended the program."""

    error: Failure


class Line(msgspec.Struct, frozen=True):
    """How many operations of a graph come from one line of the user's."""

    path: str
    line: int
    operations: int


class Trace(msgspec.Struct, frozen=True, tag_field="event", tag="trace"):
    """One trace: a cache miss, what it was asked for, where, and what it cost."""

    number: int
    function: FunctionRef
    object: int
    library: bool
    arguments: tuple[Argument, ...]
    seconds: float
    own_seconds: float
    context: dict[str, str] = {}
    passes: str = msgspec.field(name="pass", default="NO_SCOPE")
    per_instance: bool = False
    reduce_retracing: bool = False
    input_signature: bool = False
    jit_compile: bool = False
    dataset: bool = False
    keras: bool = False
    model: int = 0  # the number of the Keras model whose step this is
    definition: tuple[int, ...] = ()  # the numbers of the Python function and of the object it is bound to
    step: str = ""  # `train_step`, `test_step` or `predict_step` of that model
    site: Site | None = None
    direct: bool = False  # the user's line calls this graph function, which may be made of a library's
    thread: int = 0
    parent: int | None = None
    start: float = 0.0
    calls: int | None = None  # how often the function had been called from eager code when this began
    failed: str | None = None
    error: Failure | None = None
    operations: int = 0
    fingerprint: str | None = None
    graph_bytes: int = 0
    resident_bytes: int = 0
    lines: tuple[Line, ...] = ()
    dead_objects: tuple[int, ...] = ()
    dead_functions: tuple[int, ...] = ()


class GradientSource(msgspec.Struct, frozen=True):
    """What a gradient was asked for; `name` is a variable's, `index` its place among the sources."""

    index: int
    name: str = ""
    dtype: str = ""
    variable: bool = False


class Step(msgspec.Struct, frozen=True):
    """One operation on the way from a target back to a source."""

    operation: str
    place: Site | None = None


class MissingGradient(msgspec.Struct, frozen=True, tag_field="event", tag="gradient"):
    """`tape.gradient` answered None: for which of the sources it was asked for, and why.

    `reason` is one of REASONS in `recording.gradients`, `place` where the path breaks, `tape` where the
    tape was opened, `path` the way from the target backwards. `answer` is "zeros" where TensorFlow gives
    these in the place of None: through its own loops, and from `batch_jacobian`.
    """

    reason: str
    sources: tuple[GradientSource, ...]
    asked: int
    method: str = "gradient"
    site: Site | None = None
    tape: Site | None = None
    place: Site | None = None
    operation: str = ""
    detail: str = ""
    path: tuple[Step, ...] = ()
    answer: str = "None"


class NonFinite(msgspec.Struct, frozen=True, tag_field="event", tag="numerics"):
    """The first operation that gave infinity or NaN, in a run with `--numerics`."""

    operation: str
    values: str
    site: Site | None = None
    graph: str = ""
    incoming: bool = False


class CompiledShape(msgspec.Struct, frozen=True):
    """The calls of an XLA function with one set of concrete shapes; the first one compiled it."""

    shapes: str
    first_seconds: float
    best_seconds: float
    calls: int


class Compilations(msgspec.Struct, frozen=True, tag_field="event", tag="compilations"):
    """What XLA compiled behind one trace."""

    trace: int
    shapes: tuple[CompiledShape, ...]


class CallCount(msgspec.Struct, frozen=True):
    """How often the function defined here was called from eager code."""

    path: str
    line: int
    calls: int


class Problem(msgspec.Struct, frozen=True, tag_field="event", tag="problem"):
    """Something the observer could not do."""

    message: str


class End(msgspec.Struct, frozen=True, tag_field="event", tag="end"):
    """The last line of a run that came to its end, however it ended."""

    seconds: float
    calls: tuple[CallCount, ...] = ()
    dead_objects: tuple[int, ...] = ()
    dead_functions: tuple[int, ...] = ()


Event = Header | Trace | Compilations | MissingGradient | NonFinite | Crash | Problem | End | Note
