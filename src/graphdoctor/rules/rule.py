"""What a rule is."""

import dataclasses
import inspect
import re
from collections.abc import Callable, Iterator
from typing import Any, ClassVar

from msgspec.structs import replace

from graphdoctor.model import Called, Evidence, Finding, FunctionRef, Grounds, Severity, Since, Span
from graphdoctor.recording.format import PROGRAM, SEEN, Event
from graphdoctor.recording.places import way_to
from graphdoctor.rules.facts import Facts
from graphdoctor.rules.repair import Repair
from graphdoctor.source.parts import is_test_file

HEADINGS = ("What it finds", "Why it matters", "How to fix it", "When to leave it")


@dataclasses.dataclass(frozen=True)
class Example:
    """A program that misbehaves and the same program fixed; both are run by the tests.

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
    severity: ClassVar[Severity]  # of each finding: nothing lowers it
    usual: ClassVar[Severity | None] = None  # of most findings, where more is known: it raises, it costs
    examples: ClassVar[tuple[Example, ...]] = ()
    failures: ClassVar[tuple[FailureText, ...]] = ()
    repair: ClassVar[Repair] = Repair()  # what its fix changes, and what must then hold
    reasons: ClassVar[tuple[str, ...]] = ()  # the keys of `autograph/conversion/reasons.py` that it explains
    # The kinds of event by which a run that traced the function settles what the source predicts.
    settled_by: ClassVar[tuple[type[Event], ...]] = ()
    # What its claim rests on that the source seldom shows, in words: `the shapes of the data`.
    rests_on: ClassVar[str] = ""
    since: ClassVar[Since | None] = None  # the first version in which its claim holds
    judges_the_rest: ClassVar[bool] = False  # it asks what the other rules explain: `facts.explained`

    @property
    def family(self) -> Severity:
        """The severity of most of its findings, by which it is selected."""
        return self.usual or self.severity

    @property
    def name(self) -> str:
        """The printed name: `python-number-argument` for `PythonNumberArgument`."""
        return re.sub(r"(?<!^)(?=[A-Z])", "-", type(self).__name__).lower()

    def judge(self, facts: Facts) -> Iterator[Finding]:
        """The findings in recordings, of a run or a dry run; by default, the failures that it explains."""
        from graphdoctor.rules.failures import explained_failures

        yield from explained_failures(self, facts)

    def findings(
        self, facts: Facts, crashed: Callable[[Exception], Finding] | None = None
    ) -> Iterator[Finding]:
        """What it finds; a crash ends this rule only, and is what `crashed` makes of it."""
        try:
            yield from self.judge(facts)
        except Exception as error:
            if crashed is not None:
                yield crashed(error)

    def finding(
        self,
        span: Span,
        message: str,
        function: FunctionRef | None = None,
        *,
        event: Event | None = None,
        worse: Severity | None = None,
        guesses: tuple[str, ...] = (),
        **details: Any,
    ) -> Finding:
        """A finding of this rule; `event` is what it rests on.

        `worse` is the severity where more is known than the rule says: an exception, a measured cost. It
        counts only if it is worse. `guesses`: what the claim takes for granted and nothing shows, in words.
        """
        severity = min(self.severity, worse or self.severity, key=lambda each: each.rank)
        grounds: Grounds | None = details.pop("grounds", None)
        if event is not None:
            details.setdefault("evidence", _evidence(event))
            details.setdefault("reached", way_to(event, function.name if function else "it"))
            grounds = grounds or replace(self.grounds_of(event), claim=severity, guesses=guesses)
        found = Finding.at(
            span,
            rule=self.id,
            name=self.name,
            severity=severity,
            message=message,
            function=function,
            **details,
        )
        return found.on(grounds) if grounds is not None else found

    def grounds_of(self, event: Event) -> Grounds:
        """The evidence that an event is for a claim of this rule."""
        entry = event.chain[0].function if event.chain else PROGRAM
        return Grounds(
            reached=event.reached,
            traced=event.traced,
            called=_called(event),
            claim=self.severity,
            entry="" if entry == PROGRAM else entry,
            caught=event.caught,
            expected=event.expected,
            inputs=(self.rests_on,) if self.rests_on else (),
            since=self.since,
        )


def _evidence(event: Event) -> Evidence:
    if event.foretold:
        return Evidence.BOTH
    return Evidence.RUN if event.reached == SEEN else Evidence.SOURCE


def _called(event: Event) -> Called:
    """Who was seen to come to an event."""
    if event.reached == SEEN:
        return Called.RUN
    begin = event.chain[0].place if event.chain else event.place
    if begin is not None and is_test_file(begin.path):
        return Called.TEST
    return Called.DRIVER if is_uncalled(event) else Called.PROGRAM


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
