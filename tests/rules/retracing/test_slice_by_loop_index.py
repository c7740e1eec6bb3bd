"""GD124: must not fire, must fire, and the rows it becomes."""

import pytest
from tests.checking import check, fixed, marked

RULE = "GD124"
HEAD = "import tensorflow as tf\n@tf.function\ndef f(x, w):\n"


def taped(*lines: str) -> str:
    return (
        HEAD
        + "  with tf.GradientTape() as tape:\n    tape.watch(x)\n"
        + "".join(f"    {line}\n" for line in lines)
    )


@pytest.mark.parametrize(
    "program",
    [
        pytest.param(HEAD + "  for t in tf.range(3): tf.print(x[t])\n", id="no gradient"),
        pytest.param(
            taped("for t in tf.range(3): w = w + x[t]").replace("watch(x)", "watch(w)"),
            id="data is not watched",
        ),
        pytest.param(taped("for t in range(3): w = w + x[t]"), id="a Python loop is written out"),
        pytest.param(
            taped("for t in tf.range(3):", "  x = x * 2.0", "  w = w + x[t]"), id="made in the loop"
        ),
        pytest.param(taped("for t in tf.range(3): w = w + x[0]"), id="not by the loop index"),
        pytest.param(taped("for t in tf.range(3): w = w + x[t, :2]"), id="a part of the row"),
        pytest.param(
            taped("for t in tf.range(3):", "  y = x * 2.0", "  w = w + y[t]"),
            id="made again at each iteration",
        ),
        pytest.param(
            taped("for t in tf.range(3):", "  w = w + x[t]", "  x = x * 2.0"), id="carried by the loop"
        ),
        pytest.param(
            taped("for t in tf.range(3): w = w + tf.stop_gradient(x)[t]"), id="no way for a gradient"
        ),
        pytest.param(
            taped("for t in tf.range(3): w = w + tf.gather(x, t)"), id="gather has sparse gradients"
        ),
        pytest.param(
            taped("a = tf.TensorArray(tf.float32, 3).unstack(x)", "for t in tf.range(3): w = w + a.read(t)"),
            id="fixed",
        ),
        pytest.param(
            "import tensorflow as tf\ndef f(x, w):\n  with tf.GradientTape() as tape:\n"
            "    for t in tf.range(3): w = w + x[t]\n",
            id="not traced",
        ),
    ],
)
def test_must_not_fire(program: str) -> None:
    assert check(program, RULE) == []


@pytest.mark.parametrize(
    ("program", "place"),
    [
        (taped("for t in tf.range(tf.shape(x)[0]): w = w + x[t]"), "x[t]"),
        (taped("for t in tf.range(9):", "  if w[0] > 0:", "    w = w + x[:, t]"), "x[:, t]"),
        (taped("n = tf.shape(x)[1]", "for t in range(n): w = tf.tanh(w + x[:, t, :])"), "x[:, t, :]"),
        (
            "import tensorflow as tf\n"
            "def run(x, w):\n  for t in tf.range(9): w = w + x[t, ...]\n  return w\n"
            "@tf.function\ndef step(x, w):\n  with tf.GradientTape() as tape:\n"
            "    tape.watch(x)\n    loss = run(2.0 * x, w)\n",
            "x[t, ...]",
        ),
        (
            "import tensorflow as tf\nembed = tf.keras.layers.Embedding(9, 2)\n"
            "@tf.function\ndef step(tokens, w):\n  with tf.GradientTape() as tape:\n"
            "    x = embed(tokens)\n    for t in tf.range(9): w = w + x[:, t]\n",
            "x[:, t]",
        ),
        (
            "import tensorflow as tf\nv = tf.Variable(tf.ones([9, 2]))\n"
            "@tf.function\ndef step(w):\n  with tf.GradientTape() as tape:\n"
            "    for t in tf.range(9): w = w + v[t]\n",
            "v[t]",
        ),
    ],
)
def test_must_fire(program: str, place: str) -> None:
    assert marked(program, RULE) == [place]


def test_fix_reads_rows_of_the_second_axis() -> None:
    program = taped("for t in tf.range(tf.shape(x)[1]):  # time", "  w = w + x[:, t]", "  w = w * x[:, t, :]")
    assert fixed(program, RULE) == taped(
        "x_rows = tf.TensorArray(x.dtype, tf.shape(x)[1], clear_after_read=False)"
        ".unstack(tf.experimental.numpy.swapaxes(x, 0, 1))",
        "for t in tf.range(tf.shape(x)[1]):  # time",
        "  w = w + x_rows.read(t)",
        "  w = w * x_rows.read(t)",
    )


def test_fix_is_left_to_the_author_where_the_name_is_taken() -> None:
    program = taped("x_rows = 1", "for t in tf.range(9): w = w + x[t]")
    assert fixed(program, RULE) == program
