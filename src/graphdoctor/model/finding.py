"""What both halves say in the end: a place and a judgement about it."""

import enum

import msgspec

from graphdoctor.model.difference import Difference
from graphdoctor.model.edit import Fix
from graphdoctor.model.function import FunctionRef
from graphdoctor.model.span import Span


class Severity(str, enum.Enum):
    """ERROR raises · WRONG is silently wrong · SLOW costs time or memory · NOTE is good to know."""

    ERROR = "ERROR"
    WRONG = "WRONG"
    SLOW = "SLOW"
    NOTE = "NOTE"


class Evidence(str, enum.Enum):
    """Where a finding comes from: it could happen, it did happen, or both."""

    SOURCE = "source"
    RUN = "run"
    BOTH = "both"


class Certainty(msgspec.Struct, frozen=True, kw_only=True):
    """How certain a finding is: whether the place is reached, and whether it is traced when it is.

    reached: seen (in a run) · must · may (an unknown condition stands before it). traced: shown · assumed ·
    eager. `caught`: the program catches what is raised; `expected`: it is there for that, as a test of it is.
    `tested`: nothing but a test was seen to come there. `uncalled`: nothing was seen to: the way begins in a
    function that the dry run called itself, with arguments that nobody knows. `proven`: claims of its kind
    were right in programs whose data nobody here saw. `doubt`: what has to hold for it to be more than a
    note.
    """

    reached: str = "seen"
    traced: str = "shown"
    caught: bool = False
    expected: bool = False
    tested: bool = False
    uncalled: bool = False
    proven: bool = False
    doubt: str = ""


class Related(Span, frozen=True, kw_only=True):
    """Another place that helps to understand a finding."""

    message: str


class Observed(msgspec.Struct, frozen=True, kw_only=True):
    """What a run showed: `traces` beyond the first or `failed` ones, what they cost, what differed.

    `needless` is True when the graphs were proven equal up to constants and static dimensions,
    False when they were proven different, None when nobody compared them. `calls` went wrong without
    a trace. `numbers` are those traces of the recording that it explains; they are not part of the JSON.
    """

    traces: int
    seconds: float
    differences: tuple[Difference, ...] = ()
    needless: bool | None = None
    failed: int = 0
    calls: int = 0
    numbers: tuple[int, ...] | msgspec.UnsetType = msgspec.UNSET

    @property
    def explains(self) -> tuple[int, ...]:
        """The numbers of the traces that it explains."""
        return self.numbers if isinstance(self.numbers, tuple) else ()


class Finding(Span, frozen=True, kw_only=True):
    """One judgement of one rule; the span it extends is where to look.

    `argument` is the parameter it is about, where there is one: evidence from the source and
    from a run is joined on rule, function and argument (or span). `alternatives` are other ways to mend the
    same: `graphdoctor fix` tries them in this order after `fix`, and keeps the first that is proven.
    """

    rule: str
    name: str
    severity: Severity
    message: str
    evidence: Evidence = Evidence.SOURCE
    function: FunctionRef | None = None
    argument: str | None = None
    related: tuple[Related, ...] = ()
    reached: tuple[Related, ...] = ()  # why the function counts as traced: the chain of calls
    fix: Fix | None = None
    observed: Observed | None = None
    certainty: Certainty | None = None
    alternatives: tuple[Fix, ...] = ()

    @property
    def fixes(self) -> tuple[Fix, ...]:
        """All ways to mend it that have edits, the preferred one first."""
        offered = (self.fix, *self.alternatives) if self.fix else self.alternatives
        return tuple(fix for fix in offered if fix.edits)
