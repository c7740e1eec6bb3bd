"""GD506: what is computed for a variable in a loop over variables, and goes nowhere."""

from inspect import cleandoc

import pytest
from tests.checking import check
from tests.running import TensorFlowServer

from graphdoctor.model import Severity

RULE = "GD506"
PROGRAM = cleandoc(
    """
    import tensorflow as tf
    weights = [tf.Variable(1.0), tf.Variable(2.0)]
    def update(rate):
        with tf.GradientTape() as tape:
            loss = weights[0] * weights[1]
        for w, g in zip(weights, tape.gradient(loss, weights)):
            w = w - rate * g
        return loss
    update(0.1)
    print(*(f"{w.numpy():.1f}" for w in weights))
    """
)
LINE = "        w = w - rate * g"


@pytest.mark.parametrize(
    "line",
    [
        pytest.param("        w.assign(w - rate * g)", id="assigned"),
        pytest.param("        new = w - rate * g", id="a name of its own"),
        pytest.param(f"{LINE}\n        print(w)", id="read in the same iteration"),
        pytest.param(f"{LINE}\n    print(w)", id="read after the loop"),
        pytest.param("        w = rate * g", id="nothing of the variable"),
        pytest.param("        w = float(w.numpy()) - rate", id="a number"),
        pytest.param(
            f"        if g is not None:\n    {LINE}\n        loss += w", id="under a condition, and read"
        ),
    ],
)
def test_must_not_fire(line: str) -> None:
    assert check(PROGRAM.replace(LINE, line), RULE) == []


def test_tensors_may_be_replaced() -> None:
    program = PROGRAM.replace("[tf.Variable(1.0), tf.Variable(2.0)]", "[tf.constant(1.0), tf.constant(2.0)]")
    assert check(program, RULE) == []


@pytest.mark.parametrize(
    "program",
    [
        pytest.param(PROGRAM, id="eager"),
        pytest.param(PROGRAM.replace("def update", "@tf.function\ndef update"), id="in a graph"),
        pytest.param(PROGRAM.replace("zip(weights", "zip(tuple(weights)"), id="a tuple"),
        pytest.param(PROGRAM.replace("w - rate * g", "tf.subtract(w, rate * g)"), id="an operation"),
    ],
)
def test_must_fire(program: str) -> None:
    (finding,) = check(program, RULE)
    assert finding.severity is Severity.WRONG
    assert finding.message == "this rebinds the name `w`, nothing reads it, and the variable does not change"
    assert finding.fix is not None
    assert finding.fix.edits


@pytest.mark.tensorflow
def test_the_variables_stay_as_they_were_and_change_with_the_edit(tensorflow: TensorFlowServer) -> None:
    (finding,) = check(PROGRAM, RULE)
    assert finding.fix is not None
    (edit,) = finding.fix.edits
    fixed = PROGRAM.replace(LINE.strip(), edit.text)
    assert tensorflow.run(PROGRAM, observe=False).printed == "1.0 2.0"
    assert tensorflow.run(fixed, observe=False).printed == "0.8 1.9"
