"""Each rule's fixed example, proven by what proves the fixes of `graphdoctor fix`."""

import pathlib

import pytest
from tests.fixing_programs import open_laboratory, prove_by_hand
from tests.running import TensorFlowServer

from graphdoctor.config import Config
from graphdoctor.judging import check_module
from graphdoctor.model import Safety
from graphdoctor.rules import Example, Rule, all_rules
from graphdoctor.source import parse_module

pytestmark = pytest.mark.tensorflow


def is_edited(rule: Rule, example: Example) -> bool:
    found = check_module(parse_module("program.py", example.bad), Config(select=(rule.id,)))
    return any(fix.safety is not Safety.MANUAL for finding in found for fix in finding.fixes)


EXAMPLES = [
    pytest.param(rule, example, id=f"{rule.id}-{number}")
    for rule in all_rules()
    for number, example in enumerate(rule.examples, start=1)
]


@pytest.mark.parametrize(("rule", "example"), EXAMPLES)
def test_the_fixed_example_is_proven(
    rule: Rule, example: Example, oracle: TensorFlowServer, tmp_path: pathlib.Path
) -> None:
    if not is_edited(rule, example):  # asked here, not while tests are collected: it takes a dry run
        return
    (tmp_path / "program.py").write_text(example.bad, encoding="utf-8")
    with open_laboratory(tmp_path, "program.py", oracle) as laboratory:
        attempt = prove_by_hand(
            laboratory, {"program.py": example.good}, lambda finding: finding.rule == rule.id
        )
    prints_its_fault = example.output and attempt.trial.ended.output.strip() == example.output[1]
    assert attempt.reason == "" or prints_its_fault
