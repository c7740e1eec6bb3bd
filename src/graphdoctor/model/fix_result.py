"""The result of `fix`: a program before and after its edits, and what was compared."""

import enum

import msgspec


class Verdict(str, enum.Enum):
    """FIXED: proven · PARTLY: what was edited is proven, findings remain · FAILED: every edit was refused ·
    CONSISTENT: the original varies between runs, and the edited program no more ·
    NONE: findings, but no edit for them · CLEAN: nothing found · UNKNOWN: nothing could be compared."""

    FIXED = "cured"
    PARTLY = "partly cured"
    CONSISTENT = "consistent, not proven"
    FAILED = "edited, not cured"
    NONE = "no edit"
    CLEAN = "clean"
    UNKNOWN = "unknown"


class Measured(msgspec.Struct, frozen=True, kw_only=True):
    """What one run amounted to. `exit_code` is None where the run was stopped: by the time limit, or Ctrl-C.

    `seconds` count from the import of TensorFlow.
    """

    exit_code: int | None
    traces: int
    compilations: int
    seconds: float
    error: str = ""


class Compared(msgspec.Struct, frozen=True, kw_only=True):
    """One aspect of two runs: how much of it there was, and how far apart it is.

    `random`: it differs, but no more than the original does between two seeds. `filled`: there is a value
    where the original had None or NaN. `text` says where it differs, or is filled. `left_out` says what was
    not compared, and why.
    """

    aspect: str
    number: int
    equal: bool
    largest: float = 0.0
    random: bool = False
    filled: bool = False
    text: str = ""
    left_out: tuple[str, ...] = ()


class TriedFix(msgspec.Struct, frozen=True, kw_only=True):
    """A finding and its edit, refused with a `reason` or kept without one. `cell` is that of a notebook."""

    rule: str
    name: str
    path: str
    line: int
    title: str
    reason: str = ""
    cell: int | None = None


class FixResult(msgspec.Struct, frozen=True, kw_only=True):
    """The edits that were kept, and the proof. `reference` is the run that the edited program has to equal:
    `original`, `eager` where the original dies or is silently wrong, `corrected`: the eager run of the
    corrected program, where eager code is wrong as well, or `start`: the original as far as it ran, where its
    eager run dies as well. `holds` are the requirements of the fixes that were met. `repeats`: two runs of
    the reference with the same seeds compute the same.
    """

    program: str
    verdict: Verdict
    before: Measured
    after: Measured | None = None
    reference: str = "original"
    tolerance: float = 0.0
    compared: tuple[Compared, ...] = ()
    tried: tuple[TriedFix, ...] = msgspec.field(name="mended", default=())
    remaining: tuple[TriedFix, ...] = msgspec.field(name="left", default=())
    edited: tuple[str, ...] = ()
    diff: str = ""
    notes: tuple[str, ...] = ()
    holds: tuple[str, ...] = ()
    repeats: bool = True

    @property
    def kept(self) -> tuple[TriedFix, ...]:
        """The edits that were accepted."""
        return tuple(one for one in self.tried if not one.reason)

    @property
    def is_proven(self) -> bool:
        """Whether there are edits that were accepted."""
        return self.verdict in (Verdict.FIXED, Verdict.PARTLY)

    @property
    def has_edits(self) -> bool:
        """Whether there are edits to show: proven, or consistent with an original that varies."""
        return self.is_proven or self.verdict is Verdict.CONSISTENT
