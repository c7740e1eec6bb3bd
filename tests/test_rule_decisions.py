"""docs/rules/README.md decides about every known pitfall; each decision is what the rules do today."""

import pathlib
import re

import pytest

from graphdoctor.autograph import reasons
from graphdoctor.autograph.facts import Reason
from graphdoctor.rules import Rule, all_rules
from graphdoctor.rules.registry import rules_by_reason

PAGE = pathlib.Path(__file__).parents[1] / "docs/rules/README.md"
ROW = re.compile(r"^\| (GD\d+) \| [^|]+ \| ([^|]+?) \| ([^|]*) ?\|$", re.MULTILINE)
DECISIONS = {found[1]: (found[2], found[3].strip()) for found in ROW.finditer(PAGE.read_text())}
RULES = {rule.id: rule for rule in all_rules()}


def built(rule: Rule) -> str:
    """How a rule finds what it finds."""
    static = type(rule).check_source is not Rule.check_source
    run = type(rule).judge is not Rule.judge or bool(rule.failures)
    return {(True, True): "both", (True, False): "static", (False, True): "run"}.get((static, run), "check")


def test_each_pitfall_is_decided_once() -> None:
    assert len(DECISIONS) == len(ROW.findall(PAGE.read_text())) > 140


@pytest.mark.parametrize("rule", RULES.values(), ids=lambda rule: rule.id)
def test_what_a_rule_does_is_what_was_decided(rule: Rule) -> None:
    assert DECISIONS[rule.id][0] == built(rule)


@pytest.mark.parametrize("pitfall", sorted(DECISIONS.keys() - RULES.keys()))
def test_a_pitfall_without_a_rule_is_told_by_another_or_says_why_not(pitfall: str) -> None:
    decision, note = DECISIONS[pitfall]
    if decision.startswith("in "):
        assert decision.removeprefix("in ") in RULES
    else:
        assert decision in ("label", "later", "no")
        assert note or decision == "later"


def test_every_reason_of_autograph_that_a_rule_names_exists() -> None:
    known = {reason.key for reason in vars(reasons).values() if isinstance(reason, Reason)}
    assert known >= rules_by_reason().keys()


def test_no_two_rules_explain_the_same_reason() -> None:
    named = [reason for rule in RULES.values() for reason in rule.reasons]
    assert len(named) == len(set(named))
