"""GD328: must not fire, must fire."""

from inspect import cleandoc

import pytest
from tests.checking import check

RULE = "GD328"
HEAD = "import tensorflow as tf\n"


@pytest.mark.parametrize(
    "program",
    [
        pytest.param(
            """
            @tf.function
            def f(x): return tf.gather(x, 1)
            try:
                f(1)
            except tf.errors.InvalidArgumentError:
                pass
            """,
            id="where it is called",
        ),
        pytest.param(
            """
            @tf.function
            def f(x):
                try:
                    return tf.gather(x, 1)
                except ValueError:
                    return x
            """,
            id="a Python error",
        ),
        pytest.param(
            """
            @tf.function
            def f(it):
                try:
                    return tf.abs(next(it))
                except tf.errors.OutOfRangeError:
                    return 0
            """,
            id="an iterator's end",
        ),
        pytest.param(
            """
            @tf.function
            def f(x):
                try:
                    load()
                except tf.errors.NotFoundError:
                    pass
                return x
            """,
            id="no operation inside",
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
                try:
                    return tf.gather(x, 1)
                except tf.errors.InvalidArgumentError:
                    return x
            """,
            id="one",
        ),
        pytest.param(
            """
            @tf.function
            def f(x):
                try:
                    return tf.gather(x, 1)
                except (tf.errors.InvalidArgumentError, tf.errors.InternalError):
                    return x
            """,
            id="of several",
        ),
    ],
)
def test_must_fire(program: str) -> None:
    assert [finding.rule for finding in check(HEAD + cleandoc(program), RULE)] == [RULE]
