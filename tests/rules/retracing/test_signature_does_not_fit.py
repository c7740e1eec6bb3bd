"""GD104: must not fire, must fire."""

from inspect import cleandoc

import pytest
from tests.checking import check, fixed
from tests.running import TensorFlowServer

RULE = "GD104"
HEAD = "import tensorflow as tf\n"


@pytest.mark.parametrize(
    "program",
    [
        pytest.param(
            """
            @tf.function(input_signature=[tf.TensorSpec([2])])
            def f(x): return x
            """,
            id="fits",
        ),
        pytest.param(
            """
            @tf.function(input_signature=[tf.TensorSpec([2])])
            def f(x, y=1): return x
            """,
            id="a default may be left out",
        ),
        pytest.param(
            """
            class A:
                @tf.function(input_signature=[tf.TensorSpec([2])])
                def f(self, x): return x
            """,
            id="self does not count",
        ),
        pytest.param(
            """
            @tf.function(input_signature=SIGNATURE)
            def f(x, y): return x
            """,
            id="made elsewhere",
        ),
        pytest.param(
            """
            @tf.function(input_signature=[tf.TensorSpec([2])] * 2)
            def f(x, y): return x
            """,
            id="any number",
        ),
        pytest.param(
            """
            @tf.function(input_signature=[tf.TensorSpec([2]), tf.TensorSpec([2])])
            def f(*x): return x
            """,
            id="star",
        ),
        pytest.param(
            """
            @tf.function(input_signature=[{'a': tf.TensorSpec([2])}])
            def f(x): return x
            """,
            id="a dict of specs as one argument",
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
            @tf.function(input_signature=tf.TensorSpec([2]))
            def f(x): return x
            """,
            id="bare",
        ),
        pytest.param(
            """
            @tf.function(input_signature=[tf.TensorSpec([2]), tf.TensorSpec([2])])
            def f(x): return x
            """,
            id="too many",
        ),
        pytest.param(
            """
            @tf.function(input_signature=[tf.TensorSpec([2])])
            def f(x, y): return x
            """,
            id="too few",
        ),
    ],
)
def test_must_fire(program: str) -> None:
    assert [finding.rule for finding in check(HEAD + cleandoc(program), RULE)] == [RULE]


CALLED = """
import numpy as np
import tensorflow as tf
@tf.function(input_signature=[tf.TensorSpec({spec})])
def f(x): return tf.reduce_sum(tf.cast(x, tf.float32))
f({given})
"""
REFUSED = [
    ("[None, 3], tf.float32", "tf.zeros([2, 3], tf.float64)", "dtype float64"),
    ("[], tf.int64", "tf.constant(3)", "dtype int32"),
    ("[], tf.int32", "3.5", "dtype float"),
    ("[None], tf.float32", "tf.Variable([1, 2])", "dtype int32"),
    ("[None, 3], tf.float32", "tf.zeros([2, 4])", "shape [2, 4]"),
    ("[None, 3], tf.float32", "np.zeros([2, 4], 'float32')", "shape [2, 4]"),
    ("[None, 3], tf.float32", "tf.zeros([3])", "shape [3]"),
]
TAKEN = [
    ("[None, 3], tf.float32", "np.zeros([2, 3])"),
    ("[None, 3], tf.float32", "[[1, 2, 3]]"),
    ("[], tf.float32", "3"),
    ("[], tf.int32", "np.float32(3.5)"),
    ("None, tf.float32", "tf.zeros([3])"),
    ("[None, None], tf.float32", "tf.zeros([2, 3])"),
]


@pytest.mark.parametrize(("spec", "given", "reported"), REFUSED)
def test_an_argument_that_the_signature_refuses(spec: str, given: str, reported: str) -> None:
    (finding,) = check(CALLED.format(spec=spec, given=given), RULE)
    assert f"`x` has the {reported}, but the signature requires" in finding.message


@pytest.mark.parametrize(("spec", "given"), TAKEN)
def test_an_argument_that_tensorflow_takes(spec: str, given: str) -> None:
    assert check(CALLED.format(spec=spec, given=given), RULE) == []


@pytest.mark.tensorflow
def test_tensorflow_refuses_and_takes_the_same(tensorflow: TensorFlowServer) -> None:
    for spec, given, _ in REFUSED:
        assert tensorflow.run(CALLED.format(spec=spec, given=given)).error == "TypeError", given
    for spec, given in TAKEN:
        assert tensorflow.run(CALLED.format(spec=spec, given=given)).error is None, given


def test_a_tensor_is_cast_to_what_the_signature_says() -> None:
    program = CALLED.format(spec="[], tf.int64", given="tf.constant(3)")
    assert "f(tf.constant(3, tf.int64))" in fixed(program, RULE)
