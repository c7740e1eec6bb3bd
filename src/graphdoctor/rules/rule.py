"""What a rule is."""

import dataclasses
import inspect
import re
from collections.abc import Iterator
from typing import Any, ClassVar

from graphdoctor.model import Certainty, Evidence, Finding, FunctionRef, Severity, Span
from graphdoctor.recording.format import PROGRAM, SEEN, Event
from graphdoctor.recording.places import way_to
from graphdoctor.rules.facts import Facts
from graphdoctor.source.parts import is_test_file

HEADINGS = ("What it finds", "Why it matters", "How to fix it", "When to leave it")


@dataclasses.dataclass(frozen=True)
class Example:
    """A program that misbehaves and the same program cured; both are run by the tests.

    One of these proves it, each as (bad, good) where it has two: `traces` counts the traces,
    `output` is what is printed, `operations` and `graph_bytes` are the sizes of the graphs,
    `raises` is the error of the bad one. `calls`: only `run --calls` sees it.
    """

    bad: str
    good: str
    traces: tuple[int, int] | None = None
    output: tuple[str, str] | None = None
    operations: tuple[int, int] | None = None
    graph_bytes: tuple[int, int] | None = None
    raises: str | None = None
    calls: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "bad", inspect.cleandoc(self.bad) + "\n")
        object.__setattr__(self, "good", inspect.cleandoc(self.good) + "\n")


@dataclasses.dataclass(frozen=True, kw_only=True)
class FailureText:
    """What a text of TensorFlow's means; `{0}` and so on are the groups of the pattern.

    It holds only in Keras' own steps (`in_keras`), when raised through a library file of this name
    (`through`), in a method (`per_instance`), or of a Python number that a TensorFlow loop carries and that
    has one of the two dtypes that the text names (`carried`): its `{name}`, `{start}`, `{dtype}` and the
    `{other}` dtype. `vague`: the text is true of many mistakes.
    """

    pattern: str
    meaning: str
    order: str
    in_keras: bool = False
    through: str = ""
    per_instance: bool = False
    carried: bool = False
    vague: bool = False

    @property
    def conditions(self) -> int:
        """How much must hold: of two texts that fit, the one that asks more says more."""
        return self.in_keras + bool(self.through) + self.per_instance + self.carried - self.vague


class Rule:
    """Judges facts; stateless. Subclasses give `id`, `severity`, `examples`, a docstring and checks."""

    id: ClassVar[str]
    severity: ClassVar[Severity]
    examples: ClassVar[tuple[Example, ...]] = ()
    failures: ClassVar[tuple[FailureText, ...]] = ()
    reasons: ClassVar[tuple[str, ...]] = ()  # the keys of `autograph/reasons.py` that it explains
    # The kinds of event by which a run that traced the function settles what the source foretells.
    settled_by: ClassVar[tuple[type[Event], ...]] = ()
    # What the source alone shows of it was never right in the blind rounds (docs/precision): no error yet.
    doubtful: ClassVar[bool] = False
    # What it says of programs that read data from outside was right in the blind rounds (docs/precision).
    proven: ClassVar[bool] = False
    judges_the_rest: ClassVar[bool] = False  # it asks what the other rules explain: `facts.explained`

    @property
    def name(self) -> str:
        """The printed name: `python-number-argument` for `PythonNumberArgument`."""
        return re.sub(r"(?<!^)(?=[A-Z])", "-", type(self).__name__).lower()

    def judge(self, facts: Facts) -> Iterator[Finding]:
        """What recordings tell, whichever half made them; by itself, the failures that it explains."""
        from graphdoctor.rules.failures import explained_failures

        yield from explained_failures(self, facts)

    def finding(
        self,
        span: Span,
        message: str,
        function: FunctionRef | None = None,
        *,
        event: Event | None = None,
        **details: Any,
    ) -> Finding:
        """A finding of this rule; `event` is what tells it, and says how certain it is."""
        if event is not None:
            details.setdefault("evidence", _evidence(event))
            details.setdefault("reached", way_to(event, function.name if function else "it"))
            details.setdefault(
                "certainty",
                Certainty(
                    reached=event.reached,
                    traced=event.traced,
                    caught=event.caught,
                    expected=event.expected,
                    tested=_is_tested(event),
                    uncalled=is_uncalled(event),
                    proven=details.pop("proven", self.proven),
                ),
            )
            if self.doubtful and event.reached != SEEN and not event.foretold:
                details.setdefault("severity", Severity.NOTE if is_uncalled(event) else Severity.WRONG)
        return Finding.at(
            span,
            rule=self.id,
            name=self.name,
            severity=details.pop("severity", self.severity),
            message=message,
            function=function,
            **details,
        )


def _evidence(event: Event) -> Evidence:
    if event.foretold:
        return Evidence.BOTH
    return Evidence.RUN if event.reached == SEEN else Evidence.SOURCE


def _is_tested(event: Event) -> bool:
    """Whether a test is where the way to an event begins."""
    begin = event.chain[0].place if event.chain else event.place
    return begin is not None and is_test_file(begin.path)


def is_uncalled(event: Event) -> bool:
    """Whether no program was seen to come to an event: the dry run has called its function itself."""
    return event.reached != SEEN and bool(event.chain) and event.chain[0].function != PROGRAM


def sections(rule: Rule) -> dict[str, str]:
    """The docstring by heading; the summary stands under the empty heading."""
    text = inspect.cleandoc(type(rule).__doc__ or "")
    found: dict[str, str] = {}
    heading = ""
    for line in text.splitlines():
        if line.rstrip(":") in HEADINGS:
            heading = line.rstrip(":")
        found[heading] = found.get(heading, "") + ("" if line.rstrip(":") == heading else line + "\n")
    return {heading: inspect.cleandoc(body) for heading, body in found.items()}
