"""docs/rules/README.md says of each rule about retracing and effects what is edited: as the rules do."""

import pathlib
import re

import pytest

from graphdoctor.config import Config
from graphdoctor.judging import check_module
from graphdoctor.rules import Rule, all_rules
from graphdoctor.source import parse_module

PAGE = pathlib.Path(__file__).parents[2] / "docs/rules/README.md"
ROW = re.compile(r"^\| (GD\d+) \| ((?:safe|unsafe|tried|none)(?:, (?:safe|unsafe|tried))*) \| (.+) \|$", re.M)
EDITS = {found[1]: set(found[2].split(", ")) for found in ROW.finditer(PAGE.read_text(encoding="utf-8"))}
RULES = [rule for rule in all_rules() if rule.id.startswith(("GD1", "GD2"))]


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_what_is_offered_is_what_the_page_says(rule: Rule) -> None:
    offered = set()
    for example in rule.examples:
        for finding in check_module(parse_module("example.py", example.bad), Config(select=(rule.id,))):
            if finding.fix is not None and finding.fix.edits:
                offered.add(finding.fix.safety.value)
            offered |= {"tried" for fix in finding.alternatives if fix.edits}
    assert offered <= EDITS[rule.id] - {"none"}
