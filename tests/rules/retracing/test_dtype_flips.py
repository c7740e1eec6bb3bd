"""GD111: must not fire, must fire."""

import pytest
from tests.checking import check, marked

RULE = "GD111"
HEAD = "import numpy as np\nimport tensorflow as tf\n@tf.function\ndef f(x): return x\n"


@pytest.mark.parametrize(
    "program",
    [
        pytest.param("f(tf.ones([2]))\nf(np.ones(2))", id="two lines may want a graph each"),
        pytest.param("for x in (np.ones(2), np.zeros(2)): f(x)", id="one dtype"),
        pytest.param("for x in (np.ones(2), load()): f(x)", id="who knows the other"),
        pytest.param("for x in data: f(tf.cast(x, tf.float32))", id="cast"),
        pytest.param(
            "for x in ([1.0, 2.0], np.ones(2)): f(tf.constant(x, tf.float32))", id="made of one dtype"
        ),
    ],
)
def test_must_not_fire(program: str) -> None:
    assert marked(HEAD + program, RULE) == []


@pytest.mark.parametrize(
    ("program", "expected"),
    [
        ("for x in ([1.0, 2.0], np.ones(2)): f(tf.constant(x))", "tf.constant(x)"),
        ("def run(x): return f(x)\nfor x in (np.ones(2), np.ones(2, np.float32)): run(x)", "x"),
    ],
)
def test_must_fire(program: str, expected: str) -> None:
    assert marked(HEAD + program, RULE) == [expected]


def test_the_message_names_both() -> None:
    (finding,) = check(HEAD + "for x in ([1.0, 2.0], np.ones(2)): f(tf.constant(x))", RULE)
    assert finding.message == (
        "`f` is traced again at each call because this line passes `x` as float64 and as float32"
    )
