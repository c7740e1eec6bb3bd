"""No statement about a run is contradicted by independent counters; correct programs get no finding."""

import dataclasses
import pathlib

import pytest

from graphdoctor.rules import Example, Rule, all_rules
from tests.running import Ran, TensorFlowServer
from tests.truths.facts import Seen, contradictions

pytestmark = [pytest.mark.tensorflow, pytest.mark.long]

HERE = pathlib.Path(__file__).parent
COUNTERS = HERE / "counters.py"
CORRECT = sorted((HERE / "programs").glob("*.py"))
EXAMPLES = [
    pytest.param(rule, example, id=f"{rule.id}-{number}")
    for rule in all_rules()
    for number, example in enumerate(rule.examples, start=1)
]


def observed(tensorflow: TensorFlowServer, text: str, calls: bool = False) -> Ran:
    return tensorflow.run(text, counters=COUNTERS, calls=calls)


def wrong(ran: Ran) -> list[str]:
    """Each statement about a run that the counters contradict."""
    return contradictions(ran.report, Seen.of(ran), "program.py")


@pytest.mark.parametrize("program", CORRECT, ids=lambda path: path.stem)
def test_a_correct_program_gets_no_finding_and_its_counts_are_true(
    tensorflow: TensorFlowServer, program: pathlib.Path
) -> None:
    ran = observed(tensorflow, program.read_text(encoding="utf-8"))
    assert (ran.timed_out, ran.error) == (False, None), ran.output
    shown = [f"{each.rule} {each.line}: {each.message}" for each in ran.report.findings if each.is_shown]
    assert shown == []
    assert wrong(ran) == []


@pytest.mark.parametrize(("rule", "example"), EXAMPLES)
def test_what_is_said_of_an_example_is_true(
    tensorflow: TensorFlowServer, rule: Rule, example: Example
) -> None:
    ran = observed(tensorflow, example.bad, example.calls)
    assert not ran.timed_out
    assert wrong(ran) == []


def test_the_counters_contradict_a_false_number(tensorflow: TensorFlowServer) -> None:
    text = "import tensorflow as tf\n@tf.function\ndef f(x): return x\nfor i in range(4): f(i)\n"
    ran = observed(tensorflow, text)
    seen = Seen.of(ran)
    assert seen.traces == {"f:2": 4}
    assert wrong(ran) == []
    fewer = dataclasses.replace(seen, traces={"f:2": 3}, calls={"f:2": 5})
    said = contradictions(ran.report, fewer, "program.py")
    assert said[:2] == ["f: 4 traces in the table, 3 counted", "f: 4 calls in the table, 5 counted"]
    assert said[2].startswith("GD101: `f` was traced 3 more times")
