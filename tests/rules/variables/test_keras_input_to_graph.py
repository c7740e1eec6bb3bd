"""GD406: must not fire, must fire."""

from inspect import cleandoc

import pytest
from tests.checking import check, fixed

RULE = "GD406"
HEAD = "import keras\nimport tensorflow as tf\nfrom keras import ops\n"


@pytest.mark.parametrize(
    "program",
    [
        pytest.param(
            """
            def f(x): return x
            i = keras.Input([3])
            f(i)
            """,
            id="not a graph function",
        ),
        pytest.param(
            """
            @tf.function
            def f(x): return x
            f(tf.ones([3]))
            """,
            id="a tensor",
        ),
        pytest.param(
            """
            @tf.function
            def f(x): return x
            i = keras.Input([3])
            i = 3
            f(i)
            """,
            id="rebound",
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
            def f(x): return x
            i = keras.Input([3])
            f(i)
            """,
            id="Input",
        ),
        pytest.param(
            """
            @tf.function
            def f(x): return x
            f(keras.layers.Input([3]))
            """,
            id="layers.Input, at once",
        ),
    ],
)
def test_must_fire(program: str) -> None:
    assert [finding.rule for finding in check(HEAD + cleandoc(program), RULE)] == [RULE]


LEFT = {
    "a Variable that the layer would not train": """
        class Head:
            def __init__(self):
                self.scale = tf.Variable(2.0)
            def __call__(self, x):
                return tf.math.cumsum(tf.scalar_mul(self.scale, x))
        inputs = keras.Input([3])
        model = keras.Model(inputs, Head()(inputs))
        """,
    "what else is given may be a Variable": """
        def head(x, kernel):
            return tf.tensordot(x, kernel, 1)
        inputs = keras.Input([3])
        model = keras.Model(inputs, head(inputs, tf.Variable(tf.ones([3, 2]))))
        """,
    "whole numbers, which a Lambda takes for others": """
        inputs = keras.Input([3], dtype="int32")
        model = keras.Model(inputs, tf.math.cumsum(inputs))
        """,
    "a sum of whole numbers": """
        inputs = keras.Input([3], dtype="uint8")
        model = keras.Model(inputs, tf.reduce_mean(inputs))
        """,
    "a dtype that a Lambda does not tell": """
        inputs = keras.Input([3])
        model = keras.Model(inputs, tf.argmax(inputs, 1))
        """,
    "a gradient": """
        inputs = keras.Input([3])
        outputs = keras.layers.Dense(1)(inputs)
        with tf.GradientTape() as tape:
            tape.watch(outputs)
        print(tape.gradient(outputs, inputs))
        """,
}


@pytest.mark.parametrize("name", LEFT)
def test_is_left_alone(name: str) -> None:
    program = HEAD + cleandoc(LEFT[name]) + "\n"
    assert check(program, RULE)
    assert fixed(program, RULE) == program


def test_one_finding_for_all_that_a_call_is_given() -> None:
    program = """
        first, second = keras.Input([3]), keras.Input([3])
        model = keras.Model([first, second], tf.nn.relu(tf.concat([first, second], axis=tf.rank(first) - 1)))
        """
    assert [finding.message for finding in check(HEAD + cleandoc(program), RULE)] == [
        "`first` is a KerasTensor, which `tf.rank` does not accept"
    ]
