"""GD313: the branches of `keras.ops.switch`."""

from inspect import cleandoc

import pytest
from tests.checking import check, fixed
from tests.running import TensorFlowServer

RULE = "GD313"
PROGRAM = """import keras
import tensorflow as tf

branches = []
for k in range(3):
    branches.append({branch})


@tf.function
def run(i, x):
    return keras.ops.switch(i, branches, x)


print(run(tf.constant(0), tf.constant(5.0)).numpy())
"""
LATE = PROGRAM.format(branch="lambda x: x * k")
EAGER = LATE.replace("@tf.function\n", "")


@pytest.mark.parametrize("branch", ["lambda x, k=k: x * k", "lambda x: x * 2", "abs"])
def test_silent_where_each_branch_has_its_own(branch: str) -> None:
    assert check(PROGRAM.format(branch=branch), RULE) == []


def test_silent_where_the_loop_itself_calls_them() -> None:
    text = """
    import keras
    import tensorflow as tf
    for k in range(3):
        print(keras.ops.switch(tf.constant(0), [lambda x: x * k], tf.constant(5.0)))
    """
    assert check(cleandoc(text), RULE) == []


@pytest.mark.parametrize("program", [LATE, EAGER], ids=["graph", "eager"])
def test_branches_that_read_the_last_value(program: str) -> None:
    assert [(found.rule, found.line) for found in check(program, RULE)] == [(RULE, 6)]


@pytest.mark.tensorflow
def test_first_branch_computes_with_the_last_number(tensorflow: TensorFlowServer) -> None:
    assert tensorflow.run_once(LATE).printed == "10.0"
    assert tensorflow.run_once(fixed(LATE, RULE)).printed == "0.0"
