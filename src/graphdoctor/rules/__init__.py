"""Facts → findings; one file per rule, found by walking this package; one folder per family."""

from graphdoctor.rules.facts import Facts
from graphdoctor.rules.registry import all_rules, find_rule
from graphdoctor.rules.rule import Example, Rule

__all__ = ["Example", "Facts", "Rule", "all_rules", "find_rule"]
