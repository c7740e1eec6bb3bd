"""Programs as people write them: what is wrong is named, and what is right is left alone."""

import pytest

from graphdoctor.model import Severity
from graphdoctor.recording.format import Gradient
from tests.gradients.realistic_programs import (
    BROKEN,
    BROKEN_LOSS,
    CLIPPING,
    CORRECT,
    OTHER_MODE,
    UNUSED_HEAD,
)
from tests.gradients.unseen_programs import UNSEEN
from tests.running import TensorFlowServer

pytestmark = pytest.mark.tensorflow


def marked_line(text: str) -> int:
    return next(number for number, line in enumerate(text.split("\n"), start=1) if "# HERE" in line)


@pytest.mark.parametrize("other_mode", [False, True], ids=["as written", "in the other mode"])
@pytest.mark.parametrize("name", BROKEN)
def test_broken_program_is_explained(name: str, other_mode: bool, tensorflow: TensorFlowServer) -> None:
    text, reason, rule, operation, error = BROKEN[name]
    if other_mode:
        text = text.replace(*OTHER_MODE[name])
    line = marked_line(text)
    ran = tensorflow.run(text)
    assert ran.error == error, ran.output
    found = [(e.reason, e.operation, e.broken.line) for e in ran.recording.of(Gradient) if e.broken]
    assert found == [(reason, operation, line)]
    report = [(f.rule, f.line) for f in ran.report.findings if f.observed and f.rule.startswith("GD5")]
    assert report == [(rule, line)]


@pytest.mark.parametrize("name", UNSEEN)
def test_whatever_way_it_is_written(name: str, tensorflow: TensorFlowServer) -> None:
    text, rule, part = UNSEEN[name]
    ran = tensorflow.run(text)
    (finding,) = [f for f in ran.report.findings if f.rule.startswith("GD5")]
    assert (finding.rule, finding.line) == (rule, marked_line(text))
    assert part in finding.message


@pytest.mark.parametrize("name", CORRECT)
def test_correct_program_is_left_alone(name: str, tensorflow: TensorFlowServer) -> None:
    ran = tensorflow.run(CORRECT[name])
    assert ran.error is None, ran.output
    assert ran.recording.of(Gradient) == ()
    assert [f.rule for f in ran.report.findings if f.rule.startswith("GD5")] == []
    assert [p for p in ran.recording.problems if "_describe" not in p] == []


def test_a_layer_that_the_loss_does_not_use_is_benign(tensorflow: TensorFlowServer) -> None:
    """Keras warns "Gradients do not exist for variables"; nothing is broken."""
    ran = tensorflow.run(UNUSED_HEAD)
    (finding,) = [f for f in ran.report.findings if f.rule.startswith("GD5")]
    line = marked_line(UNUSED_HEAD)
    assert (finding.rule, finding.severity, finding.line) == ("GD515", Severity.NOTE, line)
    assert finding.message == (
        "`two_heads/pooler/kernel`, `two_heads/pooler/bias` take no part in the target: no path at all, "
        "so that None is right"
    )


def test_a_loss_in_fit_that_has_no_gradient_is_named(tensorflow: TensorFlowServer) -> None:
    """Keras raises "No gradients provided for any variable" from deep inside itself."""
    ran = tensorflow.run(BROKEN_LOSS)
    line = marked_line(BROKEN_LOSS)
    assert ran.error == "ValueError"
    assert [(f.rule, f.line) for f in ran.report.findings if f.rule.startswith("GD5")] == [("GD504", line)]


def test_a_gradient_that_is_lost_before_the_optimizer_is_named(tensorflow: TensorFlowServer) -> None:
    """Keras raises "No gradients provided for any variable", though the tape gave them all."""
    ran = tensorflow.run(CLIPPING)
    line = marked_line(CLIPPING)
    assert ran.error == "ValueError"
    (finding,) = [f for f in ran.report.findings if f.rule.startswith("GD5")]
    assert (finding.rule, finding.line) == ("GD517", line)
    assert finding.message == (
        "`apply_gradients` is given None for `sequential/dense/kernel`, `sequential/dense/bias`, "
        f"`sequential/dense_1/kernel` and 1 more, though the tape gave a gradient at line {line - 2}; "
        "then it raised ValueError"
    )
