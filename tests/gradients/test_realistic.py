"""Programs as people write them: what is wrong is named, and what is right is left alone."""

import pytest

from gradients.realistic_programs import BROKEN, BROKEN_LOSS, CORRECT, UNUSED_HEAD
from graphdoctor.model import Severity
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


def test_a_layer_that_the_loss_does_not_use_is_benign(tensorflow: TensorFlowServer) -> None:
    """Keras warns "Gradients do not exist for variables"; nothing is broken."""
    ran = tensorflow.run(UNUSED_HEAD)
    (finding,) = [f for f in ran.report.findings if f.rule.startswith("GD5")]
    line = next(n for n, line in enumerate(UNUSED_HEAD.split("\n"), start=1) if "# HERE" in line)
    assert (finding.rule, finding.severity, finding.line) == ("GD515", Severity.NOTE, line)
    assert finding.message == (
        "`two_heads/pooler/kernel`, `two_heads/pooler/bias` take no part in the target: no path at all, "
        "so that None is right"
    )


def test_a_loss_in_fit_that_has_no_gradient_is_named(tensorflow: TensorFlowServer) -> None:
    """Keras raises "No gradients provided for any variable" from deep inside itself."""
    ran = tensorflow.run(BROKEN_LOSS)
    line = next(n for n, line in enumerate(BROKEN_LOSS.split("\n"), start=1) if "# HERE" in line)
    assert ran.error == "ValueError"
    assert [(f.rule, f.line) for f in ran.report.findings if f.rule.startswith("GD5")] == [("GD504", line)]
