"""Gradients that are None and meant so: the program asks for it, or shows it beside others."""

import json
from inspect import cleandoc
from pathlib import Path

import pytest
from tests.checking import check

from graphdoctor.config import Config
from graphdoctor.judging import check_paths
from graphdoctor.model import Severity

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


@pytest.mark.parametrize("end", MEANT.values(), ids=MEANT)
def test_what_is_meant_is_a_note(end: str) -> None:
    assert {finding.severity for finding in check(HEAD + LOST + end, "GD503")} == {Severity.NOTE}


@pytest.mark.parametrize("end", NOT_MEANT.values(), ids=NOT_MEANT)
def test_what_is_not_meant_is_wrong(end: str) -> None:
    assert {finding.severity for finding in check(HEAD + LOST + end, "GD503")} == {Severity.WRONG}


@pytest.mark.parametrize(
    ("end", "severity"),
    [
        ("print(tape.gradient(b, x))", Severity.NOTE),
        ("g = tape.gradient(b, x)\ng", Severity.NOTE),
        ("x = x - 0.1 * tape.gradient(b, x)", Severity.WRONG),
        ("g = tape.gradient(b, x)\ng\nx = x - 0.1 * g", Severity.WRONG),
    ],
    ids=["only shown", "shown by its name", "used", "shown and used"],
)
def test_what_a_notebook_tries_out_is_a_note(tmp_path: Path, end: str, severity: Severity) -> None:
    cell = {"cell_type": "code", "source": HEAD + LOST + end, "outputs": [], "execution_count": None}
    notebook = tmp_path / "trying.ipynb"
    notebook.write_text(json.dumps({"cells": [cell], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}))
    assert [f.severity for f in check_paths([str(notebook)], Config()).findings] == [severity]


@pytest.mark.parametrize(
    ("paused", "severity"), [("with tape.stop_recording():\n        ", Severity.NOTE), ("", None)]
)
def test_what_a_tape_is_stopped_for_is_meant(paused: str, severity: Severity | None) -> None:
    program = (
        "x, y = tf.Variable(2.0), tf.Variable(3.0)\nwith tf.GradientTape() as tape:\n    a = x * x\n"
        f"    {paused}b = y * y\n    z = a + b\ng = tape.gradient(z, [x, y])\nx.assign_sub(g[1])\n"
    )
    expected = [] if severity is None else [severity]
    assert [finding.severity for finding in check(HEAD + program, "GD502")] == expected


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
    assert {finding.severity for finding in check(HEAD + program, "GD503")} == {Severity.NOTE}


VARIABLES = """
import tensorflow as tf
model = tf.keras.Sequential([tf.keras.layers.Dense(2), tf.keras.layers.BatchNormalization()])
model.build([None, 2])
with tf.GradientTape() as tape:
    y = tf.reduce_sum(model(tf.ones([1, 2]), training=True))
gradients = tape.gradient(y, model.variables)
"""


@pytest.mark.parametrize(
    ("end", "severity"),
    [
        ("print('gradients', gradients)", Severity.NOTE),
        ("pairs = [(g, v) for g, v in zip(gradients, model.variables) if g is not None]", Severity.NOTE),
        ("tf.keras.optimizers.SGD().apply_gradients(zip(gradients, model.variables))", Severity.WRONG),
    ],
)
def test_variables_whose_gradients_nobody_applies(end: str, severity: Severity) -> None:
    assert {finding.severity for finding in check(VARIABLES + end, "GD508")} == {severity}
