"""What `fix` proves: a program before and after its edits, and what was compared."""

import enum

import msgspec


class Verdict(str, enum.Enum):
    """CURED: proven · PARTLY: what was edited is proven, findings remain · FAILED: no edit stood the test ·
    CONSISTENT: the original differs from itself, and the edited program no further ·
    NONE: findings, but no edit for them · CLEAN: nothing found · UNKNOWN: nothing could be compared."""

    CURED = "cured"
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


class Mended(msgspec.Struct, frozen=True, kw_only=True):
    """A finding and what became of its edit; without a `reason` it is kept. `cell` is that of a notebook."""

    rule: str
    name: str
    path: str
    line: int
    title: str
    reason: str = ""
    cell: int | None = None


class Cure(msgspec.Struct, frozen=True, kw_only=True):
    """The edits that were kept, and the proof. `reference` is the run that the edited program has to equal:
    `original`, `eager` where the original dies or is silently wrong, `corrected`: the eager run of the mended
    Python, where eager code is wrong as well, or `start`: the original as far as it came, where its eager run
    dies, too. `holds` is what the fixes had to bring about, and did. `repeats`: two runs of the reference
    with the same seeds compute the same.
    """

    program: str
    verdict: Verdict
    before: Measured
    after: Measured | None = None
    reference: str = "original"
    tolerance: float = 0.0
    compared: tuple[Compared, ...] = ()
    mended: tuple[Mended, ...] = ()
    left: tuple[Mended, ...] = ()
    edited: tuple[str, ...] = ()
    diff: str = ""
    notes: tuple[str, ...] = ()
    holds: tuple[str, ...] = ()
    repeats: bool = True

    @property
    def kept(self) -> tuple[Mended, ...]:
        """The edits that stood the test."""
        return tuple(one for one in self.mended if not one.reason)

    @property
    def is_proven(self) -> bool:
        """Whether there are edits that stood the test."""
        return self.verdict in (Verdict.CURED, Verdict.PARTLY)

    @property
    def has_edits(self) -> bool:
        """Whether there are edits to show: proven, or as near to the original as it is to itself."""
        return self.is_proven or self.verdict is Verdict.CONSISTENT
