"""Contrary advice about one line is impossible: in no example, and in no field case."""

import pytest

from graphdoctor.config import Config
from graphdoctor.judging import check_text
from graphdoctor.model import Finding, Fix, Safety, Severity
from graphdoctor.model.span import whole_line
from graphdoctor.rules import Example, Rule
from tests.advice import contrary
from tests.ratcheting import all_examples
from tests.running import TensorFlowServer
from tests.scoring import Case, all_cases, check_program


def finding(rule: str, line: int, order: str) -> Finding:
    fix = Fix(title=order, safety=Safety.MANUAL)
    place = whole_line("t.py", line)
    return Finding.at(place, rule=rule, name="n", severity=Severity.ERROR, message="m", fix=fix)


def test_it_would_be_noticed() -> None:
    loop, keras = finding("GD330", 3, "Loop over `tf.range`"), finding("GD701", 3, "Use `tf.scan`")
    assert contrary([loop, keras]) == [(3, ["GD330", "GD701"])]
    assert contrary([loop, finding("GD701", 4, "Use `tf.scan`")]) == []
    assert contrary([loop, finding("GD330", 3, "Use `tf.map_fn`")]) == []


@pytest.mark.corpus
@pytest.mark.parametrize(("name", "rule", "example"), all_examples())
def test_no_example_gets_contrary_advice(name: str, rule: Rule, example: Example) -> None:
    for text in (example.bad, example.good):
        assert contrary(check_text("example.py", text, Config()).findings) == []


@pytest.mark.corpus
@pytest.mark.parametrize("case", all_cases(), ids=lambda case: case.name)
def test_no_field_case_gets_contrary_advice(case: Case) -> None:
    assert contrary(check_program(case.program)) == []


# Those of which a run used to say two things; the others are run by `scripts/ratchet.py run`.
SEVERAL_WORDS = ("051", "061", "063", "065", "075", "099")


@pytest.mark.tensorflow
def test_no_run_of_a_field_case_gives_contrary_advice(oracle: TensorFlowServer) -> None:
    for case in all_cases():
        if case.name.startswith(SEVERAL_WORDS):
            assert contrary(oracle.run(case.program.read_text()).report.findings) == []
