"""Gradients that are None and meant so: the program asks for it, or shows it beside others."""

import json
from inspect import cleandoc
from pathlib import Path

import pytest
from tests.checking import check

from graphdoctor.config import Config
from graphdoctor.judging import check_paths
from graphdoctor.model import Finding, Level, Severity

HEAD = "import numpy as np\nimport tensorflow as tf\n"
LOST = """
x = tf.constant(2.0)
def loss(x):
    return tf.constant(np.square(x))
with tf.GradientTape(persistent=True) as tape:
    tape.watch(x)
    a = x * x
    b = loss(x) * 2.0
"""
MEANT = {
    "asserted": "g = tape.gradient(b, x)\nassert g is None",
    "a test says so": "g = tape.gradient(b, x)\nself.assertIsNone(g)",
    "asked for": "g = tape.gradient(b, x)\nif g is None:\n  raise ValueError('no gradient')",
    "asked for, the first of a list": "g = tape.gradient(b, [x])\nif g[0] is None:\n"
    "  raise ValueError('none')",
    "asked for, any of a list": "g = tape.gradient(b, [x])\nif any(each is None for each in g):\n"
    "  print('none')",
    "left out": "g = tape.gradient(b, [x])\npairs = [(d, v) for d, v in zip(g, [x]) if d is not None]",
    "zero in its place": "g = tape.gradient(b, x)\ng = tf.zeros_like(x) if g is None else g",
    "shown beside one that there is": "print('with', tape.gradient(a, x))\n"
    "print('without', tape.gradient(b, x))",
    "by names, beside one that there is": "g = tape.gradient(b, x)\nh = tape.gradient(a, x)\nprint(h)\n"
    "print(g)",
}
NOT_MEANT = {
    "only shown": "print(tape.gradient(b, x))",
    "expected to be there": "g = tape.gradient(b, x)\nassert g is not None",
    "used": "g = tape.gradient(b, x)\nprint(g)\nx = x - 0.1 * g",
    "used beside one that there is": "g = tape.gradient(b, x)\nh = tape.gradient(a, x)\nx = x - 0.1 * g - h",
    "another one is asked for": "g = tape.gradient(b, x)\nh = tape.gradient(a, x)\nif h is None:\n"
    "  h = 0\nx -= g",
    "in a `try`, which nothing ends": "try:\n  g = tape.gradient(b, x)\n  x = x - g\n"
    "except ValueError:\n  pass",
}


def level_of(finding: Finding) -> Level:
    """How sure it is; the severity is the rule's, whatever becomes of the gradient."""
    assert finding.severity is Severity.WRONG
    return finding.confidence.level


@pytest.mark.parametrize("end", MEANT.values(), ids=MEANT)
def test_what_is_meant_has_low_confidence(end: str) -> None:
    assert {level_of(finding) for finding in check(HEAD + LOST + end, "GD503")} == {Level.LOW}


@pytest.mark.parametrize("end", NOT_MEANT.values(), ids=NOT_MEANT)
def test_what_is_not_meant_is_wrong(end: str) -> None:
    assert Level.LOW not in {level_of(finding) for finding in check(HEAD + LOST + end, "GD503")}
    assert check(HEAD + LOST + end, "GD503")


@pytest.mark.parametrize(
    ("end", "level"),
    [
        ("print(tape.gradient(b, x))", Level.LOW),
        ("g = tape.gradient(b, x)\ng", Level.LOW),
        ("x = x - 0.1 * tape.gradient(b, x)", Level.HIGH),
        ("g = tape.gradient(b, x)\ng\nx = x - 0.1 * g", Level.HIGH),
    ],
    ids=["only shown", "shown by its name", "used", "shown and used"],
)
def test_what_a_notebook_tries_out_has_low_confidence(tmp_path: Path, end: str, level: Level) -> None:
    cell = {"cell_type": "code", "source": HEAD + LOST + end, "outputs": [], "execution_count": None}
    notebook = tmp_path / "trying.ipynb"
    notebook.write_text(json.dumps({"cells": [cell], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}))
    assert [level_of(f) for f in check_paths([str(notebook)], Config()).findings] == [level]


@pytest.mark.parametrize(
    ("paused", "level"), [("with tape.stop_recording():\n        ", Level.LOW), ("", None)]
)
def test_what_a_tape_is_stopped_for_is_meant(paused: str, level: Level | None) -> None:
    program = (
        "x, y = tf.Variable(2.0), tf.Variable(3.0)\nwith tf.GradientTape() as tape:\n    a = x * x\n"
        f"    {paused}b = y * y\n    z = a + b\ng = tape.gradient(z, [x, y])\nx.assign_sub(g[1])\n"
    )
    expected = [] if level is None else [level]
    assert [level_of(finding) for finding in check(HEAD + program, "GD502")] == expected


def test_a_batch_of_jacobians_is_zero_and_not_none() -> None:
    program = """
        import tensorflow as tf
        x = tf.ones([2, 1])
        with tf.GradientTape() as tape:
            tape.watch(x)
        slope = tape.batch_jacobian(2 * x, x)
        x = x - slope[..., 0]
        """
    (finding,) = check(cleandoc(program), "GD502")
    assert "is all zeros" in finding.message


def test_what_a_test_expects_to_raise_is_a_note() -> None:
    program = cleandoc(
        """
        import pytest
        def fit(loss, x):
            with tf.GradientTape() as tape:
                tape.watch(x)
                y = loss(x)
            return tape.gradient(y, x) * 2.0
        def loss(x):
            return tf.constant(np.square(x))
        def test_loss():
            with pytest.raises(TypeError):
                fit(loss, tf.constant(1.0))
        """
    )
    assert not any(finding.is_shown for finding in check(HEAD + program, "GD503"))


VARIABLES = """
import tensorflow as tf
model = tf.keras.Sequential([tf.keras.layers.Dense(2), tf.keras.layers.BatchNormalization()])
model.build([None, 2])
with tf.GradientTape() as tape:
    y = tf.reduce_sum(model(tf.ones([1, 2]), training=True))
gradients = tape.gradient(y, model.variables)
"""


@pytest.mark.parametrize(
    ("end", "level"),
    [
        ("print('gradients', gradients)", Level.LOW),
        ("pairs = [(g, v) for g, v in zip(gradients, model.variables) if g is not None]", Level.LOW),
        ("tf.keras.optimizers.SGD().apply_gradients(zip(gradients, model.variables))", Level.HIGH),
    ],
)
def test_variables_whose_gradients_nobody_applies(end: str, level: Level) -> None:
    assert {level_of(finding) for finding in check(VARIABLES + end, "GD508")} == {level}
