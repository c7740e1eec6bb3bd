"""Every trace of a run, for those who want to look closer than the findings do."""

import msgspec

from graphdoctor.model.difference import Difference
from graphdoctor.model.time_account import TimeWindow


class TraceFact(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One trace: when it began, how long it took itself, and why it was needed.

    `function` and `process` are positions in `Report.functions` and `RunDetails.processes`;
    `closest` is the number of the earlier trace that `differences` compare with, None for a first
    trace, which has its `signature` instead. `label` says why it is benign.
    """

    number: int
    function: int
    start: float
    seconds: float
    operations: int = 0
    graph_bytes: int = 0
    resident_bytes: int = 0
    process: int = 0
    path: str = ""
    line: int = 0
    closest: int | None = None
    differences: tuple[Difference, ...] = ()
    signature: str = ""
    label: str | None = None
    needless: bool | None = None
    failed: str | None = None


class LineFact(msgspec.Struct, frozen=True, kw_only=True):
    """How many operations of one graph come from a line, in the graph that has most of them."""

    path: str
    line: int
    operations: int


class CompilationFact(msgspec.Struct, frozen=True, kw_only=True):
    """What XLA compiled for one set of concrete shapes: the first call compiled, the others only ran."""

    function: int
    shapes: str
    first_seconds: float
    best_seconds: float
    calls: int


class GraphsFact(msgspec.Struct, frozen=True, kw_only=True):
    """The graphs that a function still keeps; those of `dead` arguments can never be used again."""

    function: int
    kept: int
    dead: int
    size_bytes: int


class CrashFrame(msgspec.Struct, frozen=True, kw_only=True):
    """A line of the user's on the way to the exception that ended a program."""

    path: str
    line: int
    function: str


class Crash(msgspec.Struct, frozen=True, kw_only=True):
    """The exception that ended a program, with the user's frames that led to it, outermost first."""

    type: str
    text: str
    frames: tuple[CrashFrame, ...] = ()


class RunDetails(msgspec.Struct, frozen=True, kw_only=True):
    """What a recording holds beyond its findings; `directory` is where `program` ran.

    `redacted`: no literal of the source may be shown.
    `accounted` is the clock of `windows` when that of the traces began.
    """

    directory: str
    redacted: bool = False
    program: str = ""
    processes: tuple[str, ...] = ()
    traces: tuple[TraceFact, ...] = ()
    lines: tuple[LineFact, ...] = ()
    compilations: tuple[CompilationFact, ...] = ()
    graphs: tuple[GraphsFact, ...] = ()
    crash: Crash | None = None
    windows: tuple[TimeWindow, ...] = ()
    accounted: float = 0.0
