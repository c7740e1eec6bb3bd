"""Terms of numbers: which are equal, which take few values, and what loops make of them."""

import pytest
from tests.checking import check

from graphdoctor.dryrun.values import terms
from graphdoctor.dryrun.values.terms import Term, add, apply, carried, constant, is_few, one_of, unknown

ONE, EIGHT = constant(1), constant(8)
N, K = unknown(), unknown()
REST = apply("mod", N, EIGHT)
EQUAL = {
    "rounded down": (apply("sub", N, REST), apply("mul", apply("floordiv", N, EIGHT), EIGHT)),
    "a product of a sum": (
        apply("mul", apply("add", N, ONE), K),
        apply("add", apply("mul", K, N), K),
    ),
    "what cancels": (apply("sub", apply("add", N, K), N), K),
    "twice negated": (apply("neg", apply("neg", N)), N),
    "a function of the same": (apply("max", N, ONE), apply("max", N, ONE)),
}
DIFFERENT = {
    "another unknown": (N, K),
    "another multiple": (apply("mul", N, EIGHT), N),
    "another choice of the same": (one_of((N, ONE)), one_of((N, ONE))),
}


@pytest.mark.parametrize(("one", "other"), EQUAL.values(), ids=EQUAL)
def test_equal_numbers_have_equal_terms(one: Term, other: Term) -> None:
    assert one == other
    assert not add(one, other, -1).parts


@pytest.mark.parametrize(("one", "other"), DIFFERENT.values(), ids=DIFFERENT)
def test_numbers_that_may_differ_have_other_terms(one: Term, other: Term) -> None:
    assert one != other


@pytest.mark.parametrize(
    ("term", "few"),
    [
        (N, False),
        (apply("sub", N, REST), True),
        (apply("mod", N, constant(3)), True),
        (REST, False),
        (apply("min", N, constant(2)), True),
        (one_of((ONE, EIGHT)), True),
        (apply("add", N, one_of((ONE, EIGHT))), False),
    ],
)
def test_few(term: Term, few: bool) -> None:
    assert is_few(term) is few


PROGRAM = """
import random
import tensorflow as tf
class Balance:
    def __init__(self): self.weight = 1.0
    def update(self, loss):
        {update}
@tf.function
def step(x, weight): return x * weight
balance = Balance()
for epoch in range(3):
    for batch in range(3):
        loss = step(tf.ones([2]), weight=balance.weight)
        balance.update(float(loss[0]))
"""
STAYING = {
    "one of two": "self.weight = 0.5 if loss < 1 else 2.0",
    "perhaps the same": "self.weight = self.weight * 0.5 if loss < 0 else self.weight",
    "set at times": "if loss < 0: self.weight *= 0.5",
    "the other way round": "self.weight = -self.weight if loss < 9 else -self.weight",
}
MOVING = {
    "up or down": "self.weight = min(9.0, self.weight * (1.1 if loss < 1 else 0.9))",
    "by as much as is lost": "self.weight += 0.1 if loss < 1 else 0.2",
}


@pytest.mark.parametrize("update", STAYING.values(), ids=STAYING)
def test_a_number_that_may_stay_in_a_short_loop_is_silent(update: str) -> None:
    assert check(PROGRAM.replace("{update}", update), "GD101") == []


@pytest.mark.parametrize("update", MOVING.values(), ids=MOVING)
def test_a_number_that_moves_whichever_way_is_taken_is_reported(update: str) -> None:
    assert [found.message for found in check(PROGRAM.replace("{update}", update), "GD101")] == [
        "each new value of the Python number `balance.weight` makes `step` trace again"
    ]


FLAGS = """
import random
import tensorflow as tf
@tf.function
def step(x, active): return x
for k in range(40):
    first = random.random() < 0.5
    active = {flags}
    step(tf.ones([2]), active)
"""


@pytest.mark.parametrize(
    "flags",
    ["(first, not first, first, first)", "(first, random.random() < 0.5)", "(True, first, False, True)"],
)
def test_flags_of_few_combinations_are_silent(flags: str) -> None:
    assert check(FLAGS.replace("{flags}", flags), "GD101", "GD114") == []


@pytest.mark.parametrize(
    "flags",
    [
        "(first, random.random() < 0.5, random.random() < 0.2)",
        "tuple([random.random() < 0.6 for _ in range(5)])",
    ],
)
def test_flags_of_many_combinations_are_reported(flags: str) -> None:
    assert check(FLAGS.replace("{flags}", flags), "GD101")


@pytest.mark.parametrize(("end", "reported"), [("start + size", False), ("size", True)])
def test_a_slice_whose_ends_move_together_has_one_length(end: str, reported: bool) -> None:
    program = f"""
        import numpy as np
        import tensorflow as tf
        @tf.function
        def step(block): return block
        def run(size):
            size = int(size)
            x = np.zeros([400, 4])
            for start in range(0, 400, size):
                step(tf.constant(x[start : {end}]))
        run(input())
        """
    assert bool(check(program, "GD103")) is reported


def test_what_a_loop_carries_on_is_counted() -> None:
    loop = type("Loop", (), {"count": None})()
    place = (1, "n")
    found = carried(loop, place, 1)
    cases = {apply("neg", found): {1, -1}, apply("mod", add(found, ONE), constant(3)): {0, 1, 2}}
    for step, values in cases.items():
        assert dict(terms.values_in_turn({place: (1, step)})) == {place: values}
    assert len(dict(terms.values_in_turn({place: (1, add(found, ONE))}))[place]) > terms.MOST_FEW
    assert dict(terms.values_in_turn({place: (1, one_of((add(found, ONE), found)))})) == {}
