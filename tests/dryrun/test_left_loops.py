"""Names of an `if` that leaves an iteration of a loop of AutoGraph: the dry run, and what TensorFlow does."""

import pytest
from tests.checking import check
from tests.running import TensorFlowServer

RULES = ("GD301", "GD302", "GD304", "GD306")
# how the loop goes, and the rule that reports what TensorFlow refuses
LOOPS = {
    "undefined, break": (
        """
        for i in tf.range(5):
            if p > 2.0:
                a = p
                break
            p = p - 1.0
        return a
        """,
        "GD301",
    ),
    "undefined, continue": (
        """
        for i in tf.range(5):
            if p > 2.0:
                a = p
                continue
            p = p - 1.0
        return a
        """,
        "GD301",
    ),
    "dtype, break": (
        """
        a = tf.constant(0)
        for i in tf.range(5):
            if p > 2.0:
                a = p
                break
            p = p - 1.0
        return a
        """,
        "GD304",
    ),
    "defined, break": (
        """
        a = tf.constant(0.0)
        for i in tf.range(5):
            if p > 2.0:
                a = p
                break
            p = p - 1.0
        return a
        """,
        "",
    ),
    "own name, break": (
        """
        for i in tf.range(5):
            if p > 2.0:
                a = p * 2.0
                p = a
                break
            p = p - 1.0
        return p
        """,
        "",
    ),
    "set on both ways, break": (
        """
        for i in tf.range(5):
            if p > 2.0:
                a = p
                break
            else:
                a = p - 1.0
            p = p - 1.0
        return a
        """,
        "",
    ),
    "set before the if": (
        """
        for i in tf.range(5):
            a = p
            if p > 2.0:
                break
            p = p - 1.0
        return a
        """,
        "",
    ),
    "None before": (
        """
        a = None
        for i in tf.range(5):
            if p > 2.0:
                a = p
                break
        return a
        """,
        "GD302",
    ),
    "while": (
        """
        while p > 0.0:
            if p > 2.0:
                a = p
                break
            p = p - 1.0
        return a
        """,
        "GD301",
    ),
}


def program(body: str) -> str:
    lines = [line.removeprefix("    ") for line in body.strip("\n").splitlines()]
    return "\n".join(["import tensorflow as tf", "@tf.function", "def f(p):", *lines, "f(tf.constant(3.0))"])


@pytest.mark.parametrize(("body", "rule"), LOOPS.values(), ids=LOOPS)
def test_what_the_dry_run_says(body: str, rule: str) -> None:
    found = [finding.rule for each in RULES for finding in check(program(body), each)]
    assert found == ([rule] if rule else [])


@pytest.mark.tensorflow
@pytest.mark.parametrize(("body", "rule"), LOOPS.values(), ids=LOOPS)
def test_what_tensorflow_does(body: str, rule: str, oracle: TensorFlowServer) -> None:
    ran = oracle.run(program(body), observe=False)
    assert (ran.error is not None) == bool(rule), ran.output
