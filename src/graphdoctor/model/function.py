"""A traced function: who it is, and what its traces amounted to."""

import msgspec

from graphdoctor.model.difference import Change


class FunctionRef(msgspec.Struct, frozen=True, kw_only=True):
    """A function by name and place; `line` is its first decorator's, as in `co_firstlineno`."""

    name: str
    path: str
    line: int


class Cause(msgspec.Struct, frozen=True, kw_only=True):
    """Why a function was traced again: one kind of change of one argument, added up.

    A benign cause is no fault of the program; `label` says what it is instead. One that is not
    benign has a label when it did little harm.
    """

    argument: str | None
    change: Change
    before: str
    now: str
    axis: int | None
    count: int
    seconds: float
    benign: bool = False
    label: str | None = None


class FunctionSummary(msgspec.Struct, frozen=True, kw_only=True):
    """What a run showed of one function; `calls` is None where TensorFlow does not count them.

    `counted_traces` are the traces without those that are no matter of the calls: the second pass
    of a first call that creates variables, and one per instance of a class. `foretold`: `check` tells it
    from the source, so that seconds and operations are not known, and `traces` are those it came across.
    """

    name: str
    path: str
    line: int
    objects: int
    calls: int | None
    traces: int
    counted_traces: int = 0
    retraces: int
    seconds: float
    operations: int
    causes: tuple[Cause, ...] = ()
    foretold: bool = False
