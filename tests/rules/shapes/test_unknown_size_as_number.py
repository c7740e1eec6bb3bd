"""GD601: must not fire, must fire."""

from inspect import cleandoc

import pytest
from tests.checking import check

RULE = "GD601"
HEAD = "import tensorflow as tf\n"


@pytest.mark.parametrize(
    "program",
    [
        pytest.param(
            """
            @tf.function(input_signature=[tf.TensorSpec([None, 3])])
            def f(x): return tf.zeros([x.shape[1]])
            """,
            id="a known axis",
        ),
        pytest.param(
            """
            @tf.function(input_signature=[tf.TensorSpec([None, 3])])
            def f(x): return tf.zeros([tf.shape(x)[0]])
            """,
            id="tf.shape",
        ),
        pytest.param(
            """
            @tf.function
            def f(x): return tf.zeros([x.shape[0]])
            """,
            id="no signature",
        ),
        pytest.param(
            """
            @tf.function(input_signature=[tf.TensorSpec([None])])
            def f(x):
                if x.shape[0] is None:
                    return x
                return x
            """,
            id="only looked at",
        ),
        pytest.param(
            """
            @tf.function(input_signature=[tf.TensorSpec([None])])
            def f(x):
                x = tf.ones([3])
                return tf.zeros([x.shape[0]])
            """,
            id="another tensor by then",
        ),
        pytest.param(
            """
            @tf.function(input_signature=[tf.TensorSpec([None])])
            def f(x):
                size = x.shape[0]
                if size is None:
                    size = tf.shape(x)[0]
                return tf.zeros([size])
            """,
            id="a name, asked whether it is None",
        ),
        pytest.param(
            """
            @tf.function(input_signature=[tf.TensorSpec([None])])
            def f(x):
                size = x.shape[0]
                return tf.zeros([size or 3])
            """,
            id="a name with a default",
        ),
        pytest.param(
            """
            @tf.function(input_signature=[tf.TensorSpec([None])])
            def f(x):
                size = x.shape[0]
                size = tf.shape(x)[0]
                return tf.zeros([size])
            """,
            id="a name that is something else by then",
        ),
        pytest.param(
            """
            @tf.function(input_signature=[tf.TensorSpec([None])])
            def f(x):
                size = x.shape[0]
                return tf.ensure_shape(x, [size]), "%s rows" % size, "%s" % x.shape[0]
            """,
            id="None is allowed there",
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
            @tf.function(input_signature=[tf.TensorSpec([None, 3])])
            def f(x): return tf.zeros([x.shape[0]])
            """,
            id="new shape",
        ),
        pytest.param(
            """
            @tf.function(input_signature=[tf.TensorSpec(shape=[None])])
            def f(x):
                for i in range(x.shape[0]):
                    pass
                return x
            """,
            id="range",
        ),
        pytest.param(
            """
            @tf.function(input_signature=[tf.TensorSpec([None])])
            def f(x): return x / x.shape[0]
            """,
            id="arithmetic",
        ),
        pytest.param(
            """
            @tf.function(input_signature=[tf.TensorSpec([None, 3])])
            def f(x):
                size = x.shape[0]
                print(size)
                return tf.zeros([size, 3]) + tf.ones([2 * size, 3])
            """,
            id="by a name",
        ),
    ],
)
def test_must_fire(program: str) -> None:
    assert [finding.rule for finding in check(HEAD + cleandoc(program), RULE)] == [RULE]
