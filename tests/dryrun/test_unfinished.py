"""Long functions: what stands behind the place where the budget ended is looked at on its own."""

import pytest

from graphdoctor.config import Config
from graphdoctor.judging import check_module
from graphdoctor.source import parse_module

LONG = """
import numpy as np
import tensorflow as tf


def work(n):
    total = 0
    for a in unknown():
        for b in unknown():
            for c in unknown():
                total += a * b - c
    return total


def main(argv):
"""
CALLS = "\n".join(f"    work({number})" for number in range(3000)) + "\n"


def findings(end: str) -> list[str]:
    """The rules that speak of a long `main` that ends so."""
    body = "\n".join("    " + line for line in end.splitlines())
    module = parse_module("program.py", LONG + CALLS + body + "\n")
    return [finding.rule for finding in check_module(module, Config())]


@pytest.mark.parametrize(
    "end",
    [
        pytest.param(
            "@tf.function\ndef step(x):\n    return x * scale", id="a name that the body sets before"
        ),
        pytest.param("def step(x):\n    return x.numpy()", id="no graph function"),
        pytest.param("@tf.function\ndef step(x):\n    return helper(x)", id="another function of the body"),
    ],
)
def test_nothing_is_reported_of_what_is_right(end: str) -> None:
    assert findings(end) == []


def test_a_graph_function_behind_the_end_of_the_budget_is_looked_at() -> None:
    assert findings("@tf.function\ndef step(x):\n    return tf.sqrt(x).numpy()") == ["GD801"]


def test_behind_a_top_level_that_seems_to_raise_functions_are_looked_at() -> None:
    text = """
import tensorflow as tf

raise RuntimeError("not on this machine")


@tf.function
def step(x):
    return tf.sqrt(x).numpy()
"""
    found = check_module(parse_module("program.py", text), Config())
    assert [finding.rule for finding in found] == ["GD801"]


def test_a_layer_that_gets_a_size_is_not_built_yet() -> None:
    text = """
import tensorflow as tf


class Shared(tf.keras.layers.Dense):
    def __init__(self, units, weight=None):
        super().__init__(units)
        if self.built:
            raise ValueError("already built")
        self.weight = weight


layer = Shared(3)


@tf.function
def step(x):
    return tf.sqrt(layer(x)).numpy()


step(tf.ones([2, 2]))
"""
    found = check_module(parse_module("program.py", text), Config())
    assert [finding.rule for finding in found] == ["GD801"]
