"""For each rule that says what its fix changes: a wrong edit, near the right one, that the proof refuses."""

import pathlib

import pytest
from tests.checking import fixed
from tests.fixing_programs import open_laboratory, prove_by_hand
from tests.refactoring.attention_models import PROGRAMS
from tests.running import TensorFlowServer

from graphdoctor.rules import find_rule

# By rule: what the right edit says, and what the wrong one says instead.
WRONG_EDITS = {
    "GD102 another operation": ("x + x", "x - x"),
    "GD103 a part is dropped": ("tf.reduce_sum(x)", "tf.reduce_sum(x[:3])"),
    "GD109 another number": ("x + 1.0", "x + 2.0"),
    "GD111 a dtype that cuts": ("tf.constant(rows, tf.float32)", "tf.constant(rows, tf.int32)"),
    "GD114 another axis": ("axis=0", "axis=1"),
    "GD207 another value": ("loss.numpy()", "2.0 * loss.numpy()"),
    "GD209 read once": ("tf.timestamp()", "tf.constant(1.0, tf.float64)"),
    "GD219 another text": ("a step begins", "a step ends"),
    "GD313 still a lambda": ("    def show():\n        return total\n", "    show = lambda: total\n"),
    "GD504 another target": ("tf.cast(w > 0.5", "tf.cast(w > 0.4"),
    "GD505 a term is dropped": ("y = x * x", "y = x * 2.0"),
    "GD506 another target": ("y = x * x", "y = x * 3.0"),
    "GD507 another target": ("y = x * x", "y = x * 2.0"),
    "GD510 no step": ("optimizer.apply_gradients(zip(gradients, [w]))", "pass"),
    "GD512 another factor": ("value * 3.0", "value * 2.0"),
    "GD513 another operation": ("y = x * x", "y = x + x"),
    "GD517 a gradient of zero": ("tf.clip_by_norm(gradient, 5.0)", "tf.zeros_like(gradient)"),
    "GD709 another weight": ("tf.zeros([2, 4])", "tf.ones([2, 4])"),
    "GD905 another factor": ("x * 2.0", "x * 3.0"),
}
WRONG_LOOPS = {
    "the place": ("lstm0_out_by_step.read(t)", "lstm0_out_by_step.read(0)"),
    "the dtype": ("windows = tf.TensorArray(tf.float32", "windows = tf.TensorArray(tf.float64"),
    "the recurrence": ("last_kappas = kappa", "last_kappas = last_kappas"),
    "a term": ("windows.write(t, window)", "windows.write(t, 0.0 * window)"),
    "the last iteration": ("t < timesteps,", "t < timesteps - 1,"),
}


def refusal(
    rule: str, text: str, right: str, edit: tuple[str, str], folder: pathlib.Path, server: TensorFlowServer
) -> str:
    """Why a program is refused whose right edit was made wrong."""
    assert edit[0] in right
    wrong = right.replace(*edit)
    (folder / "program.py").write_text(text, encoding="utf-8")
    with open_laboratory(folder, "program.py", server) as laboratory:
        attempt = prove_by_hand(laboratory, {"program.py": wrong}, lambda finding: finding.rule == rule)
    assert attempt.chosen
    return attempt.reason


@pytest.mark.tensorflow
@pytest.mark.parametrize("name", WRONG_EDITS)
def test_a_wrong_edit_of_an_example_is_refused(
    name: str, tmp_path: pathlib.Path, oracle: TensorFlowServer
) -> None:
    rule = find_rule(name[:5])
    assert rule is not None
    example = rule.examples[0]
    assert refusal(rule.id, example.bad, example.good, WRONG_EDITS[name], tmp_path, oracle)


@pytest.mark.tensorflow
@pytest.mark.parametrize("name", WRONG_LOOPS)
def test_a_wrong_rewrite_of_a_loop_is_refused(
    name: str, tmp_path: pathlib.Path, oracle: TensorFlowServer
) -> None:
    text = PROGRAMS["Keras 3"]
    assert refusal("GD333", text, fixed(text, "GD333"), WRONG_LOOPS[name], tmp_path, oracle)
