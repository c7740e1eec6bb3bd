"""Whether an expression that runs again gives another value; first those that give the same."""

import ast
from inspect import cleandoc

import pytest

from graphdoctor.dryrun.recomputing import may_differ
from graphdoctor.source import parse_module

SAME = {
    "a constant": "tf.constant(0.5)",
    "nothing but zeros": "tf.zeros([given, self.units])",
    "of arrays": "tf.constant(np.tri(4) - np.eye(4), tf.float32)",
    "of names that are the same": "tf.cast(TABLE, tf.float32) * SCALE",
    "what is only converted": "tf.reduce_sum(MASK)",
}
OTHER = {
    "drawn": "tf.random.normal([4])",
    "drawn by NumPy": "tf.constant(np.random.rand(4))",
    "a parameter": "tf.reduce_min(given, axis=0)",
    "an attribute": "self.rate * tf.constant(0.5)",
    "its own old value": "tf.constant(0.5) * RATE",
    "a name that is added to": "tf.constant(COUNT)",
    "an element": "tf.constant(each)",
    "what another function gives": "tf.constant(load())",
    "a name that nothing binds": "tf.constant(nobody)",
}
MODULE = """
import numpy as np
import tensorflow as tf
SCALE = 2.0
TABLE = np.arange(4)
RATE = tf.constant(1.0)
COUNT = 0
MASK = np.zeros(4)
MASK = tf.constant(MASK)
def load():
    global RATE, COUNT
    RATE = RATE * 0.5
    COUNT += 1
class Net:
    def reset(self, given):
        for each in given:
            self.value = {}
"""


def differs(expression: str) -> bool:
    module = parse_module("net.py", cleandoc(MODULE).format("...").replace("...", expression))
    assigned = [node for node in ast.walk(module.tree) if isinstance(node, ast.Assign)]
    return may_differ(module, assigned[-1].value)


@pytest.mark.parametrize("expression", SAME.values(), ids=SAME)
def test_the_same(expression: str) -> None:
    assert not differs(expression)


@pytest.mark.parametrize("expression", OTHER.values(), ids=OTHER)
def test_another(expression: str) -> None:
    assert differs(expression)
