"""GD511: must not fire, must fire, and what becomes of it."""

import pytest
from tests.checking import check, fixed, marked

from graphdoctor.model import Severity

RULE = "GD511"
HEAD = "import tensorflow as tf\n"


def taped(*lines: str, after: str = "", options: str = "persistent=True") -> str:
    return (
        HEAD
        + f"def f(x, model):\n  with tf.GradientTape({options}) as tape:\n    tape.watch(x)\n"
        + "".join(f"    {line}\n" for line in lines)
        + "".join(f"  {line}\n" for line in after.splitlines())
    )


ASKING = ("y = x * x", "g = tape.gradient(y, x)")


@pytest.mark.parametrize(
    "program",
    [
        pytest.param(taped("y = x * x", after="g = tape.gradient(y, x)"), id="asked after the block"),
        pytest.param(
            HEAD + "def f(loss, model):\n  with tf.GradientTape(persistent=True) as tape:\n"
            "    g = tape.gradient(loss, model.weights)\n    print(g)",
            id="a target that is given: nothing of it is recorded",
        ),
        pytest.param(
            HEAD + "def f(x, model):\n  loss = model(x)\n  with tf.GradientTape(persistent=True) as tape:\n"
            "    print(tape.gradient(loss, model.weights))",
            id="a target from before the block",
        ),
        pytest.param(
            taped(*ASKING, after="return tape.gradient(g, x)"), id="the second derivative is wanted"
        ),
        pytest.param(
            taped(*ASKING, "loss = y + tf.norm(g)", after="return tape.gradient(loss, model.weights)"),
            id="a penalty on the gradient",
        ),
        pytest.param(
            taped(*ASKING, "loss = model(g)", after="return tape.gradient(loss, x)"), id="through a model"
        ),
        pytest.param(
            HEAD + "def second(tape, value, x):\n  return tape.gradient(value, x)\n"
            "x = tf.Variable(3.0)\nwith tf.GradientTape(persistent=True) as tape:\n  y = x * x\n"
            "  g = tape.gradient(y, x)\nprint(second(tape, g, x))\n",
            id="asked again by a helper",
        ),
        pytest.param(taped(*ASKING, after="return g", options=""), id="a tape that is asked once closes"),
        pytest.param(taped(*ASKING, after="return g", options="persistent=model"), id="unknown"),
        pytest.param(
            taped("y = x * x", "with tape.stop_recording():", "  g = tape.gradient(y, x)", after="return g"),
            id="it does not record just then",
        ),
        pytest.param(
            taped(
                "with tf.GradientTape(persistent=True) as inner:",
                "  inner.watch(x)",
                "  y = x * x * x",
                "g = inner.gradient(y, x)",
                after="return tape.gradient(g, x)",
            ),
            id="another tape records it",
        ),
        pytest.param(taped(*ASKING, after="return model.asks(tape, g)"), id="others have the tape"),
        pytest.param(taped(*ASKING, after="return tape, g"), id="whoever calls it gets the tape"),
    ],
)
def test_must_not_fire(program: str) -> None:
    assert check(program, RULE) == []


@pytest.mark.parametrize(
    "program",
    [
        taped(*ASKING, after="return g"),
        taped(*ASKING, "z = y + 1.0", after="return g, tape.gradient(z, x)"),
        taped("y = x * x", "gradients = [tape.gradient(y, [x])]", after="return gradients"),
        taped("for _ in range(9):", "  y = x * x", "  print(tape.gradient(y, x))"),
        HEAD + "def asks(tape, y, x):\n  return tape.gradient(y, x)\n"
        "x = tf.Variable(3.0)\nwith tf.GradientTape(persistent=True) as tape:\n  g = asks(tape, x * x, x)\n",
        HEAD + "x = tf.Variable(3.0)\nwith tf.GradientTape() as outer:\n"
        "  with tf.GradientTape(persistent=True) as tape:\n    y = x * x * x\n    g = tape.gradient(y, x)\n"
        "print(outer.gradient(g, x))\n",
    ],
)
def test_must_fire(program: str) -> None:
    assert [text.partition("(")[0] for text in marked(program, RULE)] == ["tape.gradient"]


def test_fix_asks_after_the_block() -> None:
    assert fixed(taped(*ASKING, after="return g"), RULE) == taped(
        "y = x * x", after="g = tape.gradient(y, x)\nreturn g"
    )


def test_fix_is_left_to_the_author_where_more_follows_in_the_block() -> None:
    program = taped(*ASKING, "z = y + 1.0", after="return g")
    assert fixed(program, RULE) == program


def test_in_a_graph_it_is_a_note() -> None:
    program = (
        HEAD + "{}def slope(x):\n  with tf.GradientTape(persistent=True) as tape:\n    tape.watch(x)\n"
        "    y = x * x\n    g = tape.gradient(y, x)\n  return g\nfor _ in range(3): slope(tf.ones([2]))\n"
    )
    assert [each.severity for each in check(program.format(""), RULE)] == [Severity.SLOW]
    assert [each.severity for each in check(program.format("@tf.function\n"), RULE)] == [Severity.NOTE]
