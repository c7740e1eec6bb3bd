"""What `explain` finds: frozen facts, without syntax nodes and without tensors."""

import enum

import msgspec

from graphdoctor.model import FunctionRef


class Mark(str, enum.Enum):
    """What became of a statement."""

    GRAPH_LOOP = "while"
    GRAPH_BRANCH = "cond"
    UNROLLED = "unrolled"
    OPERATIONS = "operations"
    CONSTANT = "constant"
    ONCE = "once"
    PYTHON = "python"
    NOT_RUN = "not run"
    ERROR = "error"


class Outcome(str, enum.Enum):
    """What AutoGraph did with a function."""

    CONVERTED = "converted"
    GRAPH_FUNCTION = "a tf.function of its own, converted"
    TRACED_BEFORE = "a tf.function of its own, traced before"
    ALLOWED = "allow-listed"
    OVERLOADED = "AutoGraph's own version"
    AS_IS = "run as is"
    FAILED = "could not be converted"
    NEVER_CALLED = "not called"


class Reason(msgspec.Struct, frozen=True):
    """Why a function was not converted, and what to do; the `rule` about it names the `key`."""

    key: str
    why: str
    remedy: str
    rule: str | None = None


class Line(msgspec.Struct, frozen=True, kw_only=True):
    """A line of the user's source; `count` is of operations, copies or runs, as the mark says."""

    number: int
    text: str
    mark: Mark | None = None
    count: int = 0
    notes: tuple[str, ...] = ()


class Callee(msgspec.Struct, frozen=True, kw_only=True):
    """A function that was reached while tracing; `lines` are those of the explained function."""

    function: FunctionRef
    outcome: Outcome
    lines: tuple[int, ...] = ()
    reason: Reason | None = None


class Library(msgspec.Struct, frozen=True):
    """The functions of one installed package that were called."""

    package: str
    outcome: Outcome
    functions: tuple[str, ...]


class Failure(msgspec.Struct, frozen=True, kw_only=True):
    """The error that ended the trace, and the innermost line of the user's code."""

    type: str
    message: str
    path: str
    line: int


class Explanation(msgspec.Struct, frozen=True, kw_only=True):
    """What became of one function; `str` of it is the page for a terminal."""

    function: FunctionRef
    arguments: tuple[str, ...]
    outcome: Outcome
    reason: Reason | None
    lines: tuple[Line, ...]
    called: tuple[Callee, ...]
    libraries: tuple[Library, ...]
    operations: int
    passes: int
    failure: Failure | None = None

    def __str__(self) -> str:
        from graphdoctor.autograph.views.page import render

        return render(self)
