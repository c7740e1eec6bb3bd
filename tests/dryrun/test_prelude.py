"""Library functions that forward to functions of the user: these are entered, at the user's own lines."""

import pytest

from graphdoctor.config import Config
from graphdoctor.judging import check_module
from graphdoctor.source import parse_module

PROGRAM = """\
import tensorflow as tf
from keras import ops


def worse(value, *more):
    return value + value.numpy()


@tf.function
def step(x):
    return {call}


step(tf.ones([]))
"""
CALLS = {
    "cond": "ops.cond(x > 0.0, lambda: worse(x), lambda: x)",
    "switch": "ops.switch(tf.constant(0), [worse, lambda value: value], x)",
    "while_loop": "ops.while_loop(lambda v: v < 3.0, worse, (x,))",
    "fori_loop": "ops.fori_loop(0, 5, lambda i, value: worse(value), x)",
    "map": "ops.map(worse, tf.ones([3]))",
    "vectorized_map": "ops.vectorized_map(worse, tf.ones([3]))",
    "scan": "ops.scan(lambda carry, row: (worse(carry), row), x, tf.ones([3]))",
}


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_the_function_of_the_user_is_entered(call: str) -> None:
    found = check_module(parse_module("program.py", PROGRAM.format(call=call), 3), Config())
    assert [(each.rule, each.path, each.line) for each in found] == [("GD801", "program.py", 6)]
    assert {place.path for place in found[0].reached} == {"program.py"}


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_what_is_right_stays_silent(call: str) -> None:
    program = PROGRAM.format(call=call).replace("value.numpy()", "value")
    assert check_module(parse_module("program.py", program, 3), Config()) == []
