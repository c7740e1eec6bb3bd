"""One dtype for both values of a name: which is taken first, and which is tried after it."""

from inspect import cleandoc

import pytest
from tests.checking import changed_lines, check, ways

HEAD = "import tensorflow as tf\n"


def edits(program: str, rule: str) -> list[list[str]]:
    whole = HEAD + cleandoc(program)
    return [changed_lines(whole, rule, way) for way in range(len(ways(whole, rule)))]


def test_a_float_never_becomes_a_whole_number() -> None:
    program = """
        @tf.function
        def f(x):
            y = tf.constant(1)
            if tf.reduce_sum(x) > 0:
                y = tf.reduce_mean(x)
            return y
        f(tf.ones([2]))
        """
    assert edits(program, "GD304") == [["y = tf.cast(tf.constant(1), tf.float32)"]]


def test_a_text_is_left() -> None:
    program = """
        @tf.function
        def f(n):
            y = tf.constant(1)
            for _ in tf.range(n):
                y = tf.constant("a")
            return y
        f(tf.constant(3))
        """
    found = check(HEAD + cleandoc(program), "GD306")
    assert not [fix for finding in found for fix in finding.fixes if fix.edits]


@pytest.mark.parametrize("given", ["tf.argmax(x)", "tf.argmin(x, axis=0)", "tf.math.argmax(x)"])
def test_what_a_function_gives_by_default_is_given_a_dtype(given: str) -> None:
    program = f"""
        @tf.function
        def f(x):
            if tf.reduce_sum(x) > 0:
                y = {given}
            else:
                y = tf.constant(0)
            return y
        f(tf.ones([2]))
        """
    assert edits(program, "GD304") == [
        [f"y = {given[:-1]}, output_type=tf.int32)"],
        ["y = tf.cast(tf.constant(0), tf.int64)"],
    ]


def test_the_dtype_before_a_branch_comes_first() -> None:
    program = """
        @tf.function
        def f(x):
            y = tf.argmax(x)
            if tf.reduce_sum(x) > 0:
                y = tf.cast(x[0], tf.int32)
            return y
        f(tf.ones([2]))
        """
    assert edits(program, "GD304") == [
        ["y = tf.cast(tf.cast(x[0], tf.int32), tf.int64)"],
        ["y = tf.argmax(x, output_type=tf.int32)"],
    ]


def test_the_dtype_before_a_loop_comes_first() -> None:
    program = """
        def best(scores):
            return tf.argmax(scores)
        @tf.function
        def f(x, n):
            token = tf.constant(0)
            for _ in tf.range(n):
                token = best(x)
            return token
        f(tf.ones([2]), tf.constant(3))
        """
    assert edits(program, "GD306") == [
        ["token = tf.cast(best(x), tf.int32)"],
        ["token = tf.cast(tf.constant(0), tf.int64)"],
    ]


def test_a_number_before_a_loop_becomes_what_the_loop_needs() -> None:
    program = """
        @tf.function
        def f(x, n):
            token = 0
            for _ in tf.range(n):
                token = tf.argmax(x)
            return token
        f(tf.ones([2]), tf.constant(3))
        """
    assert edits(program, "GD306")[0] == ["token = tf.constant(0, tf.int64)"]
