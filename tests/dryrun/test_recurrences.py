"""Numbers that an iteration computes from what the one before left: many values, or a few again and again."""

from textwrap import dedent

import pytest

from graphdoctor.config import Config
from graphdoctor.judging import check_module
from graphdoctor.source import parse_module

HEAD = """\
import tensorflow as tf

@tf.function
def step(x, weight):
    return x * weight

x = tf.ones([])
"""
FEW = {
    "a sign that changes": "n = 1.0\nfor _ in range(100):\n    step(x, n)\n    n = -n\n",
    "a count that wraps": "n = 0\nfor _ in range(100):\n    step(x, n)\n    n = (n + 1) % 3\n",
    "the better of two": """
        n = 0
        for _ in range(100):
            loss = step(x, n)
            n = max(n, 1 if float(loss) > 0.5 else 0)
        """,
}
MANY = {
    "a product of few factors": """
        n = 0.001
        for _ in range(100):
            loss = step(x, n)
            n = n * (1.05 if float(loss) < 0.7 else 0.95)
        """,
    "a sum of few terms, bounded": """
        n = 0.0
        for _ in range(100):
            loss = step(x, n)
            n = min(1.0, n + (0.01 if float(loss) < 0.7 else -0.01))
        """,
    "an attribute that a method updates": """
        class Balance:
            weight = 0.001
            def update(self, loss):
                self.weight = min(0.1, self.weight * (1.05 if loss < 0.7 else 0.95))
        balance = Balance()
        for _ in range(100):
            options = {"weight": balance.weight}
            balance.update(float(step(x, **options)))
        """,
}


def rules(program: str) -> set[str]:
    module = parse_module("program.py", HEAD + dedent(program))
    return {found.rule for found in check_module(module, Config()) if found.is_shown}


@pytest.mark.parametrize("program", FEW.values(), ids=FEW)
def test_few_values_are_a_choice(program: str) -> None:
    assert rules(program) == set()


@pytest.mark.parametrize("program", MANY.values(), ids=MANY)
def test_each_new_value_is_a_trace(program: str) -> None:
    assert rules(program) == {"GD101"}
