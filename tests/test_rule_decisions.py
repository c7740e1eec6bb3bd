"""docs/rules/README.md decides about every known pitfall; each decision is what the rules do today."""

import pathlib
import re

import pytest

from graphdoctor.autograph.conversion import reasons
from graphdoctor.autograph.facts import Reason
from graphdoctor.dryrun.recorder import SEES as PREDICTED
from graphdoctor.observer.session import SEES as OBSERVED
from graphdoctor.recording import History
from graphdoctor.recording import format as recorded
from graphdoctor.rules import Rule, all_rules
from graphdoctor.rules.facts import Facts, Kind
from graphdoctor.rules.registry import rules_by_reason
from tests.making import make_recording

PAGE = pathlib.Path(__file__).parents[1] / "docs/rules/README.md"
ROW = re.compile(r"^\| (GD\d+) \| [^|]+ \| ([^|]+?) \| ([^|]+?) \| ([^|]*) ?\|$", re.MULTILINE)
PITFALL = re.compile(r"^\| (GD\d+) \| ([^|]+) \| [^|]+? \| [^|]+? \| [^|]* ?\|$", re.MULTILINE)
DECISIONS = {found[1]: (found[2], found[4].strip()) for found in ROW.finditer(PAGE.read_text())}
FACTS = {found[1]: set(found[3].split(", ")) - {"none"} for found in ROW.finditer(PAGE.read_text())}
RULES = {rule.id: rule for rule in all_rules()}


def test_each_pitfall_is_decided_once() -> None:
    rows = PITFALL.findall(PAGE.read_text())
    assert len(DECISIONS) == len(ROW.findall(PAGE.read_text())) == len(rows) > 140
    assert len({text for _, text in rows}) == len(rows)


def test_every_rule_has_its_row() -> None:
    assert RULES.keys() - DECISIONS.keys() == set(), "give these a row in docs/rules/README.md"


@pytest.mark.parametrize("pitfall", sorted(DECISIONS.keys() - RULES.keys()))
def test_a_pitfall_without_a_rule_is_reported_by_another_or_says_why_not(pitfall: str) -> None:
    decision, note = DECISIONS[pitfall]
    if decision.startswith("in "):
        assert decision.removeprefix("in ") in RULES
    else:
        assert decision in ("label", "later", "no")
        assert note or decision == "later"


class Asked(Facts):
    """Facts that remember which kinds they were asked for."""

    def __init__(self) -> None:
        super().__init__([make_recording()])
        self.kinds: set[str] = set()

    def of(self, kind: type[Kind]) -> tuple[Kind, ...]:
        self.kinds.add(kind.__name__)
        return ()

    @property
    def training(self) -> None:  # type: ignore[override]
        self.kinds |= {"Phase", "Steps"}

    @property
    def histories(self) -> tuple[History, ...]:  # type: ignore[override]
        self.kinds.add("Trace")
        return ()


def asked_by(rule: Rule) -> set[str]:
    facts = Asked()
    assert list(rule.judge(facts)) == []
    return facts.kinds


BY_RUN = {recorded.KINDS[word].__name__ for word in (*OBSERVED, "shared-trace", "non-finite")}
BY_RUN |= {"Phase", "Steps", "Pipeline"}  # the account of time
BY_RUN |= {"Effect", "Staging", "Applied", "Made"}  # a run tells some: effects, loops that unroll, switches
BY_DRY_RUN = {kind.__name__ for kind in PREDICTED}


@pytest.mark.parametrize("rule", RULES.values(), ids=lambda rule: rule.id)
def test_what_a_rule_does_is_what_was_decided(rule: Rule) -> None:
    decision, asked = DECISIONS[rule.id][0], asked_by(rule)
    in_source = bool(asked & BY_DRY_RUN)
    in_run = bool(asked & BY_RUN) or bool(rule.failures)
    possible = {"static": in_source, "run": in_run, "both": in_source and in_run}
    assert possible.get(decision, (not in_source and not in_run) or decision == "check")


@pytest.mark.parametrize("rule", RULES.values(), ids=lambda rule: rule.id)
def test_a_rule_reads_the_facts_that_the_table_says(rule: Rule) -> None:
    assert {kind.__name__ for kind in recorded.KINDS.values()} >= FACTS[rule.id]
    reported_by_the_source = {"Trace"} if "Effect" in FACTS[rule.id] else set()  # until the dry run tells it
    assert asked_by(rule) - reported_by_the_source <= FACTS[rule.id]


def test_every_reason_of_autograph_that_a_rule_names_exists() -> None:
    known = {reason.key for reason in vars(reasons).values() if isinstance(reason, Reason)}
    assert known >= rules_by_reason().keys()


def test_no_two_rules_explain_the_same_reason() -> None:
    named = [reason for rule in RULES.values() for reason in rule.reasons]
    assert len(named) == len(set(named))
