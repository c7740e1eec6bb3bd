"""GD608: what is a shape, then numbers that are none."""

from inspect import cleandoc

import pytest

from graphdoctor.config import Config
from graphdoctor.judging import check_module
from graphdoctor.source import parse_module

RIGHT = {
    "a list": "tf.reshape(x, [-1])",
    "a tuple": "tf.reshape(x, (-1,))",
    "a shape": "tf.reshape(x, x.shape)",
    "a tensor of sizes": "tf.reshape(x, tf.shape(x))",
    "a list with a size": "tf.reshape(x, [tf.size(x)])",
    "what is unknown": "tf.reshape(x, sizes())",
    "a number for zeros, which takes it": "tf.zeros(6)",
    "a number for what fills": "tf.fill([2], 1)",
}
WRONG = {
    "a number": "tf.reshape(x, -1)",
    "a number in parentheses": "tf.reshape(x, (-1))",
    "by its name": "tf.reshape(x, shape=4)",
    "a tensor without axes": "tf.reshape(x, tf.size(x))",
    "for fill": "tf.fill(4, 1.0)",
}


@pytest.mark.parametrize("expression", RIGHT.values(), ids=RIGHT)
def test_a_shape_is_left_alone(expression: str) -> None:
    assert _reported(f"@tf.function\ndef f(x):\n    return {expression}\nf(tf.ones([2, 2]))\n") == []


def test_eager_code_is_left_alone() -> None:
    assert _reported("print(tf.reshape(tf.ones([2, 2]), -1))\n") == []


def test_what_is_caught_is_left_alone() -> None:
    program = """
        @tf.function
        def f(x):
            try:
                return tf.reshape(x, -1)
            except ValueError:
                return x
        f(tf.ones([2, 2]))
        """
    assert _reported(cleandoc(program)) == []


@pytest.mark.parametrize("expression", WRONG.values(), ids=WRONG)
def test_a_number_is_no_shape(expression: str) -> None:
    assert _reported(f"@tf.function\ndef f(x):\n    return {expression}\nf(tf.ones([2, 2]))\n") == ["GD608"]


def _reported(program: str) -> list[str]:
    text = "import tensorflow as tf\nfrom elsewhere import sizes\n" + program
    return [finding.rule for finding in check_module(parse_module("program.py", text), Config())]
