"""GD202: must not fire, must fire."""

from inspect import cleandoc

import pytest

from checking import check

RULE = "GD202"
HEAD = "import tensorflow as tf\n"


@pytest.mark.parametrize(
    "program",
    [
        pytest.param(
            """
            @tf.function
            def f(x):
                items = []
                items.append(tf.abs(x))
                return items
            """,
            id="a list of its own",
        ),
        pytest.param(
            """
            log = []
            def f(x):
                log.append(tf.abs(x))
            """,
            id="not traced",
        ),
        pytest.param(
            """
            log = []
            @tf.function
            def f(x):
                log.append('traced')
                return x
            """,
            id="no tensor",
        ),
        pytest.param(
            """
            @tf.function
            def f(x):
                items = []
                def add(v):
                    items.append(tf.abs(v))
                add(x)
                return items
            """,
            id="a list of the traced function around",
        ),
        pytest.param(
            """
            log = []
            log = make()
            @tf.function
            def f(x):
                log.append(tf.abs(x))
            """,
            id="rebound, so not certain",
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
            log = []
            @tf.function
            def f(x):
                log.append(tf.abs(x))
                return x
            """,
            id="append",
        ),
        pytest.param(
            """
            cache = {}
            @tf.function
            def f(x):
                cache['x'] = tf.abs(x)
                return x
            """,
            id="dict entry",
        ),
        pytest.param(
            """
            log = []
            def keep(x):
                log.append(tf.abs(x))
            @tf.function
            def f(x):
                keep(x)
                return x
            """,
            id="through a helper",
        ),
    ],
)
def test_must_fire(program: str) -> None:
    assert [finding.rule for finding in check(HEAD + cleandoc(program), RULE)] == [RULE]
