"""What each iteration takes out of a generator, a list of dicts, an object: what differs is reported."""

import pytest
from tests.checking import marked

HEAD = """
import collections
import math
import random
import tensorflow as tf
@tf.function
def step(x, rate=0.0): return x * rate
def constant(count):
    for k in range(count): yield 0.5
def pairs(count):
    for k in range(count): yield k, 0.5
def settings(count):
    for k in range(count): yield {"iteration": k, "rate": 0.5}
def cosine(start, end, count):
    for k in range(count): yield end + (start - end) * math.cos(math.pi * k / count)
class Schedule:
    def __init__(self, count): self.count = count
    def __iter__(self):
        for rate, other in zip(cosine(0.3, 0.1, self.count), cosine(0.5, 0.9, self.count)):
            yield {"rate": rate}
sizes = [{"size": 1}, {"size": 2}, {"size": 1}, {"size": 2}, {"size": 1}, {"size": 2}]
numbers = [random.gauss(0, 1) for _ in range(100)]
memory = collections.deque(maxlen=200)
for _ in range(100): memory.append((tf.random.normal([4]), random.randrange(9)))
rows = [{"name": "a", "rate": 0.5, "iteration": i} for i in range(20)]
"""


@pytest.mark.parametrize(
    "loop",
    [
        pytest.param("for rate in constant(25): step(tf.ones(3), rate)", id="the same each time"),
        pytest.param("for k, rate in pairs(25): step(tf.ones(3), rate)", id="a column that is the same"),
        pytest.param(
            "for each in settings(25): step(tf.ones(3), each['rate'])", id="an entry that is the same"
        ),
        pytest.param("for row in rows: step(tf.ones(3), row['rate'])", id="an entry of a list of dicts"),
        pytest.param("for each in sizes: step(tf.ones(3), each['size'])", id="one of two"),
        pytest.param(
            "for i, rate in enumerate(constant(25)): step(tf.ones(3), rate)", id="beside its number"
        ),
        pytest.param("for rate in [0.5] * 25: step(tf.ones(3), rate)", id="a list of one number"),
        pytest.param(
            "for _ in range(25):\n  states, actions = zip(*random.sample(memory, 8))\n"
            "  step(tf.stack(states), tf.constant(actions))",
            id="columns of drawn rows, as tensors",
        ),
        pytest.param("for _ in range(25): step(tf.ones(3), random.choice([1, 2]))", id="one of two, drawn"),
        pytest.param("for _ in range(25): step(tf.ones(3), len(random.sample(numbers, 8)))", id="how many"),
        pytest.param(
            "for row in rows: row['rate'] = 0.5\nfor row in rows: step(tf.ones(3), row['rate'])",
            id="an entry that each iteration sets to the same",
        ),
    ],
)
def test_what_is_the_same_at_each_iteration_does_not_retrace(loop: str) -> None:
    assert marked(HEAD + loop, "GD101") == []


@pytest.mark.parametrize(
    ("loop", "at"),
    [
        pytest.param("for k, rate in pairs(25): step(tf.ones(3), k)", "k", id="a column"),
        pytest.param(
            "for each in settings(25): step(tf.ones(3), each['iteration'])",
            "each['iteration']",
            id="an entry",
        ),
        pytest.param(
            "for each in settings(25): step(tf.ones(3), rate=each['iteration'])",
            "each['iteration']",
            id="by name",
        ),
        pytest.param(
            "for row in rows: step(tf.ones(3), row['iteration'])", "row['iteration']", id="a list of dicts"
        ),
        pytest.param(
            "for _ in range(25): step(tf.ones(8), random.sample(numbers, 8))",
            "random.sample(numbers, 8)",
            id="numbers that are drawn",
        ),
        pytest.param(
            "for _ in range(25):\n  states, actions = zip(*random.sample(memory, 8))\n"
            "  step(tf.ones(8), actions)",
            "actions",
            id="a column of rows that are drawn",
        ),
        pytest.param(
            "for each in Schedule(25): step(tf.ones(3), **each)",
            "step(tf.ones(3), **each)",
            id="all of it, from an object",
        ),
    ],
)
def test_what_differs_at_each_iteration_retraces(loop: str, at: str) -> None:
    assert marked(HEAD + loop, "GD101") == [at]
