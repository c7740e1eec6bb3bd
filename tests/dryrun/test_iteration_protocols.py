"""Iteration as Python does it: `__iter__`, `__next__`, and generators that run together with their loop."""

from textwrap import dedent

import pytest

from graphdoctor.config import Config
from graphdoctor.judging import check_module
from graphdoctor.model import Finding
from graphdoctor.source import parse_module

HEAD = """
import tensorflow as tf

class Noise:
    def __init__(self, scale):
        self.scale = scale

@tf.function
def step(x, noise):
    return x * noise.scale

@tf.function
def scaled(x, rate):
    return x * rate

x = tf.ones([2])
"""

SILENT = {
    "one object that a generator yields again and again": """
        def noises():
            noise = Noise(0.1)
            for _ in range(50):
                yield noise
        for noise in noises():
            step(x, noise)
        """,
    "tensors that a generator yields": """
        def rates():
            for i in range(50):
                yield tf.constant(0.1 * i)
        for rate in rates():
            scaled(x, rate)
        """,
    "one number that an object yields again and again": """
        class Rates:
            def __iter__(self):
                for _ in range(50):
                    yield 0.5
        for rate in Rates():
            scaled(x, rate)
        """,
    "a loop that is left in its first iteration": """
        def noises():
            for i in range(50):
                yield Noise(i)
        for noise in noises():
            step(x, noise)
            break
        """,
}

REPORTED = {
    "a new object per iteration of a generator": (
        """
        def noises():
            for i in range(50):
                yield Noise(i)
        for noise in noises():
            step(x, noise)
        """,
        "GD109",
    ),
    "a new object per iteration, numbered": (
        """
        def noises():
            for i in range(50):
                yield Noise(i)
        for number, noise in enumerate(noises()):
            step(x, noise)
        """,
        "GD109",
    ),
    "what another generator passes on": (
        """
        def inner():
            for i in range(50):
                yield Noise(i)
        def outer():
            yield from inner()
        for noise in outer():
            step(x, noise)
        """,
        "GD109",
    ),
    "numbers of an object with __iter__": (
        """
        class Rates:
            def __iter__(self):
                for i in range(50):
                    yield 0.1 * i
        for rate in Rates():
            scaled(x, rate)
        """,
        "GD101",
    ),
    "numbers of an object with __next__": (
        """
        class Rates:
            def __init__(self):
                self.i = 0
            def __iter__(self):
                return self
            def __next__(self):
                self.i += 1
                return 0.1 * self.i
        for rate in Rates():
            scaled(x, rate)
        """,
        "GD101",
    ),
    "an attribute that the loop changes and the generator reads": (
        """
        class Schedule:
            def __init__(self):
                self.rate = 1.0
            def rates(self):
                for _ in range(50):
                    yield self.rate
        schedule = Schedule()
        for rate in schedule.rates():
            scaled(x, rate)
            schedule.rate *= 0.9
        """,
        "GD101",
    ),
}


def check(program: str) -> list[Finding]:
    return check_module(parse_module("program.py", HEAD + dedent(program)), Config())


@pytest.mark.parametrize("program", SILENT.values(), ids=SILENT)
def test_what_stays_the_same_is_not_reported(program: str) -> None:
    assert [(found.rule, found.line) for found in check(program)] == []


@pytest.mark.parametrize(("program", "rule"), REPORTED.values(), ids=REPORTED)
def test_what_differs_per_iteration_is_reported(program: str, rule: str) -> None:
    assert {found.rule for found in check(program) if found.is_shown} == {rule}
