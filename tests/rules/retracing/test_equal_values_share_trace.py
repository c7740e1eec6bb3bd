"""GD121, and what else `--calls` sees: real programs; must not fire, must fire."""

import inspect

import pytest
from tests.running import TensorFlowServer

from graphdoctor.model import Finding

pytestmark = pytest.mark.tensorflow

HEAD = "import tensorflow as tf\nx = tf.constant(1.0)\n"


def found(tensorflow: TensorFlowServer, program: str, calls: bool = True) -> list[Finding]:
    ran = tensorflow.run(HEAD + inspect.cleandoc(program), calls=calls)
    assert ran.error is None, ran.output
    assert ran.recording.problems == ()
    return [f for f in ran.report.findings if f.observed and f.rule in ("GD121", "GD214", "GD215")]


SILENT = {
    "one type": "f = tf.function(lambda n: tf.constant(n))\nf(1); f(1); f(2)",
    "tensors": "f = tf.function(lambda n: n)\nf(tf.constant(1)); f(tf.constant(1.0)); f(tf.constant(1))",
    "not equal": "f = tf.function(lambda n: tf.constant(n))\nf(1); f(1.5); f(0); f(False + 2)",
    "text and None": "f = tf.function(lambda n, m=None: x)\nf('a'); f('a'); f('a', None); f('b')",
    "traced twice for variables": """
        class M(tf.Module):
            v = None
            @tf.function
            def __call__(self, n):
                if self.v is None: self.v = tf.Variable(1.0)
                return self.v * n
        m = M(); m(1); m(1)
        """,
    "stale values: traced again": """
        scale = 2.0
        @tf.function
        def f(x): return x * scale
        f(x); scale = 3.0; f(tf.ones([2])); f(tf.ones([2]))
        """,
}

LOUD = {
    "1 and 1.0": (
        "f = tf.function(lambda n: tf.constant(n))\nf(1); f(1.0); f(1.0)",
        "2 calls of `<lambda>` with `n` = 1.0 ran the graph traced for 1",
    ),
    "1.0 and True": (
        "def f(n): return tf.constant(n)\nf = tf.function(f)\nf(1.0); f(True)",
        "1 call of `f` with `n` = True ran the graph traced for 1.0",
    ),
    "in a dictionary": (
        "def f(o): return tf.constant(o['n'])\nf = tf.function(f)\nf({'n': 0}); f({'n': False})",
        '1 call of `f` with `o["n"]` = False ran the graph traced for 0',
    ),
    "in a list": (
        "def f(o): return tf.constant(o[1])\nf = tf.function(f)\nf([2, 0]); f([2, 0.0])",
        "1 call of `f` with `o[1]` = 0.0 ran the graph traced for 0",
    ),
    "stale in one of two traces": (
        """
        scale = 2.0
        @tf.function
        def f(x): return x * scale
        f(x); scale = 3.0; f(tf.ones([2])); f(tf.ones([2])); f(x)
        """,
        "`scale` changed from 2.0 to 3.0 after `f` was traced; 1 call still used 2.0",
    ),
    "stale in a nested function": (
        """
        scale = 2.0
        @tf.function
        def inner(x): return x * scale
        def outer(x): return inner(x)
        tf.function(outer)(x)
        scale = 3.0
        tf.function(outer)(x)
        """,
        "`scale` changed from 2.0 to 3.0 after `inner` was traced; 1 call still used 2.0",
    ),
}


@pytest.mark.parametrize("program", SILENT.values(), ids=SILENT)
def test_must_not_fire(program: str, tensorflow: TensorFlowServer) -> None:
    assert [finding.message for finding in found(tensorflow, program)] == []


@pytest.mark.parametrize(("program", "message"), LOUD.values(), ids=LOUD)
def test_must_fire(program: str, message: str, tensorflow: TensorFlowServer) -> None:
    assert [finding.message for finding in found(tensorflow, program)] == [message]


def test_only_with_calls(tensorflow: TensorFlowServer) -> None:
    assert found(tensorflow, LOUD["1 and 1.0"][0], calls=False) == []


def test_points_at_the_argument(tensorflow: TensorFlowServer) -> None:
    program = "@tf.function\ndef f(n):\n    return tf.constant(n)\nf(1)\nf(1.0)\n"
    (finding,) = found(tensorflow, program)
    assert (finding.line, finding.column, finding.end_column) == (7, 3, 6)


def test_a_print_is_confirmed_with_its_calls(tensorflow: TensorFlowServer) -> None:
    program = (
        HEAD + "@tf.function\ndef f(x):\n    print('loss', x)\n    return x\nfor _ in range(500): f(x)\n"
    )
    (finding,) = [f for f in tensorflow.run(program).report.findings if f.rule == "GD201"]
    assert finding.message == "`print` ran in 1 of 500 calls: only while `f` was traced"
    assert finding.evidence.value == "both"


def test_a_print_in_a_function_called_once_is_not_confirmed(tensorflow: TensorFlowServer) -> None:
    program = HEAD + "@tf.function\ndef f(x):\n    print('loss', x)\n    return x\nf(x)\n"
    (finding,) = [f for f in tensorflow.run(program).report.findings if f.rule == "GD201"]
    assert finding.evidence.value == "source"
