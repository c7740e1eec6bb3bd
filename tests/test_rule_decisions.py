"""docs/rules/README.md decides about every known pitfall; each decision is what the rules do today."""

import pathlib
import re

import pytest

from graphdoctor.rules import Rule, all_rules
from graphdoctor.rules.failures import EXPLANATIONS, SELF_IS_GONE

PAGE = pathlib.Path(__file__).parents[1] / "docs/rules/README.md"
ROW = re.compile(r"^\| (GD\d+) \| [^|]+ \| ([^|]+?) \| ([^|]*) ?\|$", re.MULTILINE)
DECISIONS = {found[1]: (found[2], found[3].strip()) for found in ROW.finditer(PAGE.read_text())}
RULES = {rule.id: rule for rule in all_rules()}
EXPLAINED = {explanation.rule for explanation in (*EXPLANATIONS, SELF_IS_GONE)}


def built(rule: Rule) -> str:
    """How a rule finds what it finds."""
    static = type(rule).check_source is not Rule.check_source
    run = type(rule).judge is not Rule.judge or rule.id in EXPLAINED
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


def test_every_error_that_a_run_explains_has_a_rule() -> None:
    assert RULES.keys() >= EXPLAINED
