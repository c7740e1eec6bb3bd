"""Tests that a decorator runs in a graph as well: what is not reported of them, then what is."""

from inspect import cleandoc

import pytest

from graphdoctor.config import Config
from graphdoctor.judging import check_module
from graphdoctor.source import parse_module

HEAD = """
import tensorflow as tf
from tensorflow.python.framework import test_util


def is_positive(matrix):
    try:
        return tf.reduce_all(tf.math.is_finite(tf.linalg.cholesky(matrix)))
    except tf.errors.InvalidArgumentError:
        return False


"""
CAUGHT = """
class MatrixTest(tf.test.TestCase):
    def test_positive(self):
        self.assertTrue(self.evaluate(is_positive(tf.ones([2, 2]))))
"""
RIGHT = {
    "a test that runs eagerly": CAUGHT,
    "what a test that passes in graphs does": """
        made = []

        @test_util.run_all_in_graph_and_eager_modes
        class SumTest(tf.test.TestCase):
            def test_sum(self):
                total = tf.reduce_sum(tf.ones([3]))
                print(total)
                made.append(total)
                self.last = total
                if total > 2.0:
                    made.append(tf.Variable(1.0))
                self.assertEqual(int(self.evaluate(total)), 3)
        """,
    "no test": """
        @test_util.run_all_in_graph_and_eager_modes
        class MatrixTest(tf.test.TestCase):
            def check_positive(self):
                self.assertTrue(self.evaluate(is_positive(tf.ones([2, 2]))))
        """,
}
REPORTED = {
    "a class that runs in graphs, too": f"@test_util.run_all_in_graph_and_eager_modes{CAUGHT}",
    "a decorator of the project's own": f"@test_util.test_graph_and_eager_modes(){CAUGHT}",
    "a test that runs in graphs, too": CAUGHT.replace(
        "    def test", "    @test_util.run_in_graph_and_eager_modes\n    def test"
    ),
}


@pytest.mark.parametrize("program", RIGHT.values(), ids=RIGHT)
def test_nothing_is_reported_of_a_test_that_passes(program: str) -> None:
    assert _reported(program) == []


def test_graph_functions_of_such_a_test_are_reported_as_without_the_decorator() -> None:
    program = """
        class SumTest(tf.test.TestCase):
            def test_sum(self):
                for size in range(5):
                    double = tf.function(lambda x: 2 * x)
                    self.evaluate(double(tf.ones([size])))
        """
    decorated = f"@test_util.run_all_in_graph_and_eager_modes\n{cleandoc(program)}"
    assert _reported(decorated) == _reported(program) == ["GD102 slow"]


@pytest.mark.parametrize("program", REPORTED.values(), ids=REPORTED)
def test_what_a_graph_does_without_a_word_is_noted(program: str) -> None:
    assert _reported(program) == ["GD328 low"]


def _reported(program: str) -> list[str]:
    found = check_module(parse_module("program.py", HEAD + cleandoc(program) + "\n"), Config())
    return [f"{f.rule} {f.severity.value.lower() if f.is_shown else 'low'}" for f in found]
