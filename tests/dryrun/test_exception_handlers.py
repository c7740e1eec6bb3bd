"""An error that the program takes upon itself is none: it is caught, or a test expects it."""

from textwrap import dedent

import pytest

from graphdoctor.config import Config
from graphdoctor.judging import check_module
from graphdoctor.model import Level
from graphdoctor.source import parse_module

HEAD = """
import contextlib
import unittest
import pytest
import tensorflow as tf

@tf.function
def step(x):
    v = tf.Variable(1.0)
    return v * x

x = tf.ones([2])
"""
OWN_MANAGER = """
@contextlib.contextmanager
def expecting(kind):
    try:
        yield
    except kind as error:
        print("raised", error)
    else:
        raise AssertionError("not raised")
"""
OWN_CLASS = """
class Expecting:
    def __enter__(self):
        return self
    def __exit__(self, kind, error, trace):
        return True
"""
PASSING_ON = """
@contextlib.contextmanager
def telling(name):
    try:
        yield
    except Exception:
        print("failed in", name)
        raise
    finally:
        print("end")
"""


def severities(program):
    findings = check_module(parse_module("p.py", f"{HEAD}\n{dedent(program)}\n"), Config())
    return {finding.confidence.level for finding in findings if finding.rule == "GD401"}


@pytest.mark.parametrize(
    "program",
    [
        f"{OWN_MANAGER}\nwith expecting(ValueError):\n    step(x)",
        f"{OWN_CLASS}\nwith Expecting():\n    step(x)",
        "with contextlib.suppress(ValueError):\n    step(x)",
        "def test_step():\n    with pytest.raises(ValueError):\n        step(x)",
        """
        class Case(unittest.TestCase):
            def test_step(self):
                with self.assertRaisesRegex(ValueError, "variable"):
                    step(x)
        """,
    ],
    ids=["a manager of its own", "a class of its own", "suppress", "pytest", "unittest"],
)
def test_what_is_expected_is_a_note(program):
    assert severities(program) == {Level.LOW}


def test_what_is_caught_is_no_error():
    assert severities("try:\n    step(x)\nexcept ValueError as error:\n    print(error)") == {Level.MEDIUM}


@pytest.mark.parametrize(
    "program",
    [
        "step(x)",
        f"{PASSING_ON}\nwith telling('step'):\n    step(x)",
        "try:\n    step(x)\nexcept ValueError:\n    print('failed')\n    raise",
        "try:\n    step(x)\nexcept KeyboardInterrupt:\n    pass",
        "def test_step():\n    with pytest.raises(ValueError):\n        step(x)\n\nstep(x)",
    ],
)
def test_what_ends_the_program_is_an_error(program):
    assert severities(program) == {Level.HIGH}
