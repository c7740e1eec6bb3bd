"""docs/rules/README.md tells for each rule from GD301 on what is edited, or why nothing can be."""

import pathlib
import re

import pytest

from graphdoctor.config import Config
from graphdoctor.judging import check_module
from graphdoctor.model import Safety
from graphdoctor.rules import Rule, all_rules
from graphdoctor.source import parse_module

PAGE = pathlib.Path(__file__).parents[2] / "docs/rules/README.md"
ROW = re.compile(r"^\| (GD\d+) \| (safe|unsafe|safe, unsafe|none) \| (.+) \|$", re.MULTILINE)
STATED = {found[1]: (found[2], found[3]) for found in ROW.finditer(PAGE.read_text(encoding="utf-8"))}
RULES = [rule for rule in all_rules() if rule.id >= "GD301"]
MEANS = {Safety.SAFE: ("safe", "safe, unsafe"), Safety.UNSAFE: ("unsafe", "safe, unsafe")}


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_what_is_documented_is_what_the_examples_get(rule: Rule) -> None:
    edit, note = STATED[rule.id]
    assert note
    for example in rule.examples:
        for finding in check_module(parse_module("example.py", example.bad), Config(select=(rule.id,))):
            for fix in finding.fixes:
                assert edit in MEANS[fix.safety]
