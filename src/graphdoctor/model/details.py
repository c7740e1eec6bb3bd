"""Every trace of a run, for those who want to look closer than the findings do."""

import msgspec

from graphdoctor.model.difference import Difference


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


class RunDetails(msgspec.Struct, frozen=True, kw_only=True):
    """What a recording holds beyond its findings; `directory` is where `program` ran."""

    directory: str
    program: str = ""
    processes: tuple[str, ...] = ()
    traces: tuple[TraceFact, ...] = ()
    lines: tuple[LineFact, ...] = ()
    compilations: tuple[CompilationFact, ...] = ()
    graphs: tuple[GraphsFact, ...] = ()
