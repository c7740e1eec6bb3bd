"""Where the wall time of a run went."""

import msgspec


class PhaseLine(msgspec.Struct, frozen=True, kw_only=True):
    """A line of the user's with its seconds in a phase; `entered` is the library function that it called."""

    path: str
    line: int
    entered: str = ""
    seconds: float


class PhaseTime(msgspec.Struct, frozen=True, kw_only=True):
    """The seconds of one phase, and the lines that took most of them."""

    phase: str
    seconds: float
    share: float
    estimated: bool = False
    lines: tuple[PhaseLine, ...] = ()


class StepTimes(msgspec.Struct, frozen=True, kw_only=True):
    """The steps of one line: the first, the median of the others, and their 95th percentile (`late`).

    `begun` is the clock of the first, as in a `TimeWindow`.
    """

    kind: str
    path: str
    line: int
    count: int
    seconds: float
    first_seconds: float
    median_seconds: float
    late_seconds: float
    per_execution: int = 1
    estimated: bool = False
    durations: tuple[float, ...] = ()
    stride: int = 1
    begun: float = 0.0


class TimeWindow(msgspec.Struct, frozen=True, kw_only=True):
    """A stretch of the run, by the clock that begins with the import of TensorFlow, and its phases.

    In which order they came inside it is not known.
    """

    start: float
    seconds: float
    phases: tuple[PhaseTime, ...]


class ThreadTime(msgspec.Struct, frozen=True, kw_only=True):
    """What another thread ran in Python beside the account, and the lines that took most of it."""

    thread: str
    seconds: float
    lines: tuple[PhaseLine, ...] = ()


class Growth(msgspec.Struct, frozen=True, kw_only=True):
    """What a growing process holds more of after each 100 steps: graphs, models, a container by its name."""

    kind: str
    more: float
    name: str = ""


class TimeAccount(msgspec.Struct, frozen=True, kw_only=True):
    """The phases add up to `seconds`, the wall time of the thread that the program waits for.

    `steady` are the phases after the first step of the training; the steps of the training come first.
    `growth_bytes` is what the process holds more after each 100 steps of the training; None where too few
    were seen; `grows` is what it holds more of. `busy` is the share of the processors' time that the process
    used during the training. Other `threads` are no part of any sum. Where it is not `separated`, the graph
    execution of `fit` holds its wait for input.
    """

    seconds: float
    phases: tuple[PhaseTime, ...]
    steady: tuple[PhaseTime, ...] = ()
    steps: tuple[StepTimes, ...] = ()
    peak_bytes: int = 0
    growth_bytes: int | None = None
    grows: tuple[Growth, ...] = ()
    busy: float | None = None
    threads: tuple[ThreadTime, ...] = ()
    separated: bool = True
    remarks: tuple[str, ...] = ()
