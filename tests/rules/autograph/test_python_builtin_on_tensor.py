"""GD333: must not fire, must fire."""

from inspect import cleandoc

import pytest
from tests.checking import check
from tests.making import at, make_recording, make_trace

from graphdoctor.config import Config
from graphdoctor.judging import judge_recordings
from graphdoctor.recording.format import Failure

RULE = "GD333"
HEAD = "import math\nimport tensorflow as tf\n"


@pytest.mark.parametrize(
    "program",
    [
        pytest.param(
            """
            @tf.function
            def f(x):
                y = tf.abs(x)
                return len(y), abs(y), int(y), float(y), sorted(y), range(y)
            """,
            id="AutoGraph knows these",
        ),
        pytest.param(
            """
            @tf.function
            def f(x):
                return sum([tf.abs(x), tf.square(x)])
            """,
            id="a list of tensors",
        ),
        pytest.param(
            """
            @tf.function
            def f(x):
                return max(x, 0)
            """,
            id="unknown",
        ),
        pytest.param(
            """
            def f(x):
                return max(tf.abs(x), 0)
            """,
            id="not traced",
        ),
        pytest.param(
            """
            @tf.function
            def f(x):
                return max([1, 2], key=tf.abs)
            """,
            id="a key",
        ),
        pytest.param(
            """
            ds = tf.data.Dataset.range(3)
            @tf.function
            def f(x):
                for i, v in enumerate(ds):
                    x += v
                return x
            """,
            id="a dataset",
        ),
        pytest.param(
            """
            @tf.function
            def f(x, d):
                y = tf.abs(x)
                return 'a' in d
            """,
            id="in a dict",
        ),
        pytest.param(
            """
            @tf.function
            def f(x):
                return math.ceil(x.shape[0] / 2), round(x.shape[0] / 3), divmod(x.shape[0], 2)
            f(tf.ones([5]))
            """,
            id="numbers of Python's",
        ),
        pytest.param(
            """
            scale = tf.constant(2.0)
            @tf.function
            def f(x):
                return x * math.sqrt(scale)
            f(tf.ones([5]))
            """,
            id="an eager tensor has a value",
        ),
        pytest.param(
            """
            def f(x):
                return math.ceil(tf.reduce_sum(x)), round(tf.reduce_sum(x)), divmod(tf.reduce_sum(x), 2)
            """,
            id="numbers of tensors outside graphs",
        ),
        pytest.param(
            """
            def ceil(x):
                return math.ceil(tf.reduce_sum(x))
            dataset = tf.data.Dataset.from_tensors(tf.ones([3]))
            dataset = dataset.map(lambda x: tf.py_function(ceil, [x], tf.int32))
            """,
            id="Python from inside the graph",
        ),
        pytest.param(
            """
            @tf.function
            def f(x):
                return tf.math.ceil(x), tf.round(x), pow(x, 2), abs(x)
            f(tf.ones([5]))
            """,
            id="TensorFlow's functions of the same names",
        ),
        pytest.param(
            """
            tf.experimental.numpy.experimental_enable_numpy_behavior()
            @tf.function
            def f(x):
                return round(x)
            f(tf.ones([5]))
            """,
            id="tensors that behave as arrays",
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
            def f(x): return max(tf.abs(x), 0)
            """,
            id="max",
        ),
        pytest.param(
            """
            @tf.function
            def f(x): return any(tf.abs(x) > 0)
            """,
            id="any",
        ),
        pytest.param(
            """
            @tf.function
            def f(x): return tf.reduce_sum(x) in [1, 2]
            """,
            id="in",
        ),
        pytest.param(
            """
            @tf.function
            def f(x):
                for a, b in zip(tf.abs(x), x):
                    pass
                return x
            """,
            id="zip",
        ),
        pytest.param(
            """
            @tf.function
            def f(x): return math.ceil(tf.shape(x)[0] / 4)
            """,
            id="a function of math",
        ),
        pytest.param(
            """
            @tf.function
            def f(x): return math.pow(2.0, tf.reduce_sum(x))
            """,
            id="the second argument of a function of math",
        ),
        pytest.param(
            """
            @tf.function
            def f(x): return round(tf.reduce_sum(x))
            """,
            id="round",
        ),
        pytest.param(
            """
            @tf.function
            def f(x): return divmod(7, tf.size(x))
            """,
            id="divmod",
        ),
        pytest.param(
            """
            @tf.function(autograph=False)
            def f(x): return float(tf.reduce_sum(x))
            """,
            id="float that nobody converts",
        ),
        pytest.param(
            """
            import functools
            def frames(wave, hop): return math.ceil(tf.shape(wave)[0] / hop)
            dataset = tf.data.Dataset.from_tensors(tf.ones([3]))
            dataset = dataset.map(functools.partial(frames, hop=2))
            """,
            id="math in the function of a dataset",
        ),
    ],
)
def test_must_fire(program: str) -> None:
    assert [finding.rule for finding in check(HEAD + cleandoc(program), RULE)] == [RULE]


def test_a_range_that_nobody_converts_is_not_reported_to_become_tf_range() -> None:
    program = """
        class L(tf.keras.layers.Layer):
            def call(self, x):
                total = x[:, 0]
                for i in range(tf.shape(x)[1]):
                    total = total + x[:, i]
                return total
        model = tf.keras.Sequential([L()])
        model.predict(tf.ones([2, 3]))
        """
    (found,) = check(HEAD + cleandoc(program), RULE)
    assert found.fix is not None
    assert [fix.title for fix in found.fixes] == ["Loop with `tf.while_loop`", "Put `@tf.function` on it"]


def _reported(text: str) -> list[str]:
    trace = make_trace(failed="TypeError")
    chain = at("train.py", 5, "step")
    failure = Failure(type="TypeError", text=text, trace=trace.number, chain=chain)
    return [found.rule for found in judge_recordings([make_recording(trace, failure)], Config()).findings]


@pytest.mark.parametrize(
    "text",
    [
        "must be real number, not str",
        "float() argument must be a string or a real number, not 'NoneType'",
        "unsupported operand type(s) for divmod(): 'str' and 'int'",
    ],
)
def test_what_failed_of_other_values(text: str) -> None:
    assert RULE not in _reported(text)


@pytest.mark.parametrize(
    "text",
    [
        "must be real number, not SymbolicTensor",
        "int() argument must be a string, a bytes-like object or a real number, not 'SymbolicTensor'",
        "float() argument must be a string or a real number, not 'SymbolicTensor'",
        "complex() first argument must be a string or a number, not 'SymbolicTensor'",
        "unsupported operand type(s) for divmod(): 'int' and 'SymbolicTensor'",
    ],
)
def test_what_failed_of_a_tensor(text: str) -> None:
    assert _reported(text) == [RULE]


OF_KERAS = """
import keras
import tensorflow as tf


class Net(keras.Model):
    def call(self, x):
        batch, steps, _ = keras.ops.shape(x)
        return [x[:, t] for t in range(steps)]


@tf.function(input_signature=[tf.TensorSpec([None, {length}, 3])])
def step(x):
    return Net()(x)


step(tf.ones([2, 4, 3]))
"""


def test_a_size_of_keras_is_a_tensor_where_it_is_open() -> None:
    assert check(OF_KERAS.format(length=4), "GD333") == []
    (found,) = check(OF_KERAS.format(length=None), "GD333")
    assert found.message == "`range` needs the values of the tensor `steps` while tracing"
