"""Programs as people write them: what is wrong is named, and what is right is left alone."""

import pytest

from gradients.realistic_programs import BROKEN, CORRECT
from running import TensorFlowServer

pytestmark = pytest.mark.tensorflow


@pytest.mark.parametrize("name", BROKEN)
def test_broken_program_is_explained(name: str, tensorflow: TensorFlowServer) -> None:
    text, reason, rule, operation, error = BROKEN[name]
    line = next(n for n, line in enumerate(text.split("\n"), start=1) if "# HERE" in line)
    ran = tensorflow.run(text)
    assert ran.error == error, ran.output
    found = [(e.reason, e.operation, e.place.line) for e in ran.recording.gradients if e.place]
    assert found == [(reason, operation, line)]
    report = [(f.rule, f.line) for f in ran.report.findings if f.observed and f.rule.startswith("GD5")]
    assert report == [(rule, line)]


@pytest.mark.parametrize("name", CORRECT)
def test_correct_program_is_left_alone(name: str, tensorflow: TensorFlowServer) -> None:
    ran = tensorflow.run(CORRECT[name])
    assert ran.error is None, ran.output
    assert ran.recording.gradients == ()
    assert [f.rule for f in ran.report.findings if f.rule.startswith("GD5")] == []
    assert [p for p in ran.recording.problems if "_describe" not in p] == []
