"""GD602: must not fire, must fire."""

from inspect import cleandoc

import pytest
from tests.checking import check

RULE = "GD602"
HEAD = "import tensorflow as tf\n"


@pytest.mark.parametrize(
    "program",
    [
        pytest.param(
            """
            @tf.function(input_signature=[tf.TensorSpec([None])])
            def f(x): return x if x.shape[0] == None else -x
            """,
            id="with None",
        ),
        pytest.param(
            """
            @tf.function(input_signature=[tf.TensorSpec([None, 3])])
            def f(x): return x if x.shape[1] == 3 else -x
            """,
            id="a known axis",
        ),
        pytest.param(
            """
            @tf.function
            def f(x): return x if x.shape[0] == 3 else -x
            """,
            id="no signature",
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
            @tf.function(input_signature=[tf.TensorSpec([None])])
            def f(x): return x if x.shape[0] == 3 else -x
            """,
            id="equal",
        ),
        pytest.param(
            """
            @tf.function(input_signature=[tf.TensorSpec([None])])
            def f(x):
                if 3 != x.shape[0]:
                    x += 1
                return x
            """,
            id="unequal",
        ),
    ],
)
def test_must_fire(program: str) -> None:
    assert [finding.rule for finding in check(HEAD + cleandoc(program), RULE)] == [RULE]
