"""GD206: must not fire, must fire."""

from inspect import cleandoc

import pytest
from tests.checking import check

RULE = "GD206"
HEAD = "import tensorflow as tf\n"


@pytest.mark.parametrize(
    "program",
    [
        pytest.param(
            """
            @tf.function
            def f(x):
                words = open('words.txt').read()
                return x
            """,
            id="reading",
        ),
        pytest.param(
            """
            def f(x):
                open('a', 'w')
            """,
            id="not traced",
        ),
        pytest.param(
            """
            @tf.function
            def f(x):
                return tf.py_function(lambda v: open('a', 'w').write('b'), [x], tf.int32)
            """,
            id="in py_function",
        ),
        pytest.param(
            """
            @tf.function
            def f(x):
                tf.io.write_file('a', 'b')
                return x
            """,
            id="tf.io",
        ),
    ],
)
def test_must_not_fire(program: str) -> None:
    assert check(HEAD + cleandoc(program), RULE) == []


@pytest.mark.parametrize(
    "program",
    [
        pytest.param(
            """
            @tf.function
            def f(x):
                open('a', mode='w')
                return x
            """,
            id="open for writing",
        ),
        pytest.param(
            """
            import json
            @tf.function
            def f(x):
                json.dump({}, out)
                return x
            """,
            id="json",
        ),
    ],
)
def test_must_fire(program: str) -> None:
    assert [finding.rule for finding in check(HEAD + cleandoc(program), RULE)] == [RULE]


def test_what_python_would_run_once_as_well_is_left_alone() -> None:
    program = (
        "import os\nclass M(tf.Module):\n  @tf.function\n  def f(self, x):\n"
        "    if self.start is None:\n      os.makedirs('d')\n      self.start = 0.0\n"
        "    return x * self.start"
    )
    assert check(HEAD + program, RULE) == []
    assert len(check(HEAD + program.replace("self.start is None", "self.name"), RULE)) == 1
