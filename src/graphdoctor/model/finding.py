"""What static and runtime analysis both produce: a place and a judgement about it."""

import enum

import msgspec
from msgspec.structs import replace

from graphdoctor.model.confidence import Called, Confidence, Grounds, Level, confidence
from graphdoctor.model.difference import Difference
from graphdoctor.model.edit import Fix
from graphdoctor.model.function import FunctionRef
from graphdoctor.model.severity import Severity
from graphdoctor.model.span import Span


class Evidence(str, enum.Enum):
    """Where a finding comes from: it could happen, it did happen, or both."""

    SOURCE = "source"
    RUN = "run"
    BOTH = "both"


class Certainty(msgspec.Struct, frozen=True, kw_only=True):
    """Deprecated, for readers of the JSON of 0.1.0: `confidence` says how sure a finding is, and why.

    It repeats the evidence in the words of 0.1.0; `doubt` holds the reasons of a low confidence.
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
    `optimising_seconds` is what the graphs of these traces took more at their first call than later.
    """

    traces: int
    seconds: float
    differences: tuple[Difference, ...] = ()
    needless: bool | None = None
    failed: int = 0
    calls: int = 0
    optimising_seconds: float | msgspec.UnsetType = msgspec.UNSET
    numbers: tuple[int, ...] | msgspec.UnsetType = msgspec.UNSET

    @property
    def optimising(self) -> float:
        """What the first calls of its graphs took more; 0 where that is not known."""
        return self.optimising_seconds if isinstance(self.optimising_seconds, float) else 0.0

    @property
    def explains(self) -> tuple[int, ...]:
        """The numbers of the traces that it explains."""
        return self.numbers if isinstance(self.numbers, tuple) else ()


class Finding(Span, frozen=True, kw_only=True):
    """One judgement of one rule; the span it extends is where to look.

    `argument` is the parameter it is about, where there is one: evidence from the source and
    from a run is joined on rule, function and argument (or span). `alternatives` are other ways to fix the
    same: `graphdoctor fix` tries them in this order after `fix`, and keeps the first that is proven.
    `confidence` is computed from `grounds`, which are not part of the JSON; without them it is HIGH.
    `certainty` is deprecated.
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
    confidence: Confidence = Confidence()
    certainty: Certainty | None = None
    alternatives: tuple[Fix, ...] = ()
    grounds: Grounds | msgspec.UnsetType = msgspec.UNSET

    def _repr_html_(self) -> str:
        """The finding, for a notebook."""
        from graphdoctor.model.markup import finding_markup

        return finding_markup(self)

    @property
    def is_shown(self) -> bool:
        """Whether reports show it by default: no note, and no low confidence."""
        return self.severity is not Severity.NOTE and self.confidence.level is not Level.LOW

    @property
    def known_grounds(self) -> Grounds | None:
        """What it rests on; None for what needs no evidence, such as a file that cannot be parsed."""
        return self.grounds if isinstance(self.grounds, Grounds) else None

    def on(self, grounds: Grounds) -> "Finding":
        """The finding with this evidence, and the confidence that it allows."""
        level = confidence(grounds)
        return replace(self, grounds=grounds, confidence=level, certainty=_certainty(grounds, level))

    @property
    def fixes(self) -> tuple[Fix, ...]:
        """All ways to fix it that have edits, the preferred one first."""
        offered = (self.fix, *self.alternatives) if self.fix else self.alternatives
        return tuple(fix for fix in offered if fix.edits)


def _certainty(grounds: Grounds, level: Confidence) -> Certainty:
    return Certainty(
        reached=grounds.reached,
        traced=grounds.traced,
        caught=grounds.caught,
        expected=grounds.expected,
        tested=grounds.called is Called.TEST,
        uncalled=grounds.called in (Called.DRIVER, Called.NOTHING),
        doubt="; ".join(level.reasons) if level.level is Level.LOW else "",
    )
