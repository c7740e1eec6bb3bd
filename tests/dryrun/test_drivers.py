"""Classes that nothing calls: what a traced method reads and another method changes is reported."""

import pytest

from graphdoctor.config import Config
from graphdoctor.judging import check_module
from graphdoctor.model import Finding
from graphdoctor.source import parse_module

HEAD = """
import tensorflow as tf

class Trainer:
    def __init__(self, model):
        self.model = model
        self.steps = 0
        self.rate = 1.0

    @tf.function
    def train_step(self, x):
        return self.rate * tf.reduce_sum(self.model(x)) + self.steps
"""

SILENT = {
    "nothing writes what is read": "    def name(self):\n        return 'trainer'\n",
    "another attribute is written": "    def finish(self):\n        self.done = True\n",
    "it is set to what it was": "    def reset(self):\n        self.steps = 0\n",
    "a variable is updated": "    def count(self):\n        self.model.counter.assign_add(1)\n",
    "a method of its own": "    def _count(self):\n        self.steps += 1\n",
}
STALE = {
    "a counter": "    def count(self):\n        self.steps += 1\n",
    "a rate": "    def decay(self):\n        self.rate *= 0.9\n",
}


def check(methods: str) -> list[Finding]:
    return check_module(parse_module("library.py", HEAD + "\n" + methods), Config())


@pytest.mark.parametrize("methods", SILENT.values(), ids=SILENT)
def test_state_that_stays_is_not_reported(methods: str) -> None:
    assert [(found.rule, found.line, found.message) for found in check(methods)] == []


@pytest.mark.parametrize("methods", STALE.values(), ids=STALE)
def test_state_that_a_user_of_the_class_changes_is_reported(methods: str) -> None:
    assert [(found.rule, found.line) for found in check(methods)] == [("GD215", 12)]


def test_the_calls_of_a_driver_are_no_loop_of_the_program() -> None:
    (found,) = check(STALE["a counter"])
    assert "loop" not in found.message
    assert [place for place in found.reached if place.path != "library.py"] == []
