"""GD105: must not fire, must fire."""

from inspect import cleandoc

import pytest
from tests.checking import check

RULE = "GD105"
HEAD = "import tensorflow as tf\n"


@pytest.mark.parametrize(
    "program",
    [
        pytest.param(
            """
            @tf.function(reduce_retracing=True, jit_compile=True)
            def f(x): return x
            """,
            id="new names",
        ),
        pytest.param(
            """
            @tf.custom(experimental_compile=True)
            def f(x): return x
            """,
            id="another function",
        ),
        pytest.param(
            """
            @tf.function(experimental_compile=True, jit_compile=True)
            def f(x): return x
            """,
            id="both given",
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
            @tf.function(experimental_relax_shapes=True)
            def f(x): return x
            """,
            id="relax_shapes",
        ),
        pytest.param("g = tf.function(f, experimental_compile=True)", id="in a call"),
    ],
)
def test_must_fire(program: str) -> None:
    assert [finding.rule for finding in check(HEAD + cleandoc(program), RULE)] == [RULE]
