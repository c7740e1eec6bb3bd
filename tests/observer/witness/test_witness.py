"""What a witness writes down of a program, really run."""

import pathlib
from collections import Counter

import pytest
from tests.fixing_programs import open_laboratory
from tests.running import TensorFlowServer

from graphdoctor.fixing.trials import Variation
from graphdoctor.fixing.witness_file import Leaf, Witnessed

pytestmark = pytest.mark.tensorflow

PROGRAM = """
import random

import numpy as np
import tensorflow as tf


@tf.function
def inner(x):
    return x + 1.0


@tf.function
def step(x):
    print("tracing")
    return {"sum": tf.reduce_sum(inner(x)), "noise": tf.random.uniform([])}


@tf.function
def fail(x):
    raise ValueError("no")


def main():
    kept = tf.Variable([1.0, 2.0])
    for _ in range(40):
        step(kept)
        kept.assign_add([1.0, float("nan")])
    try:
        fail(kept)
    except ValueError:
        pass
    print(random.random(), np.random.rand(), np.random.default_rng().random())


main()
print("end")
"""


@pytest.fixture(scope="module")
def seen(
    tensorflow: TensorFlowServer, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Witnessed, Witnessed, Witnessed, list[str]]:
    """The program as it is, again, eagerly, and with other seeds."""
    folder: pathlib.Path = tmp_path_factory.mktemp("witness")
    (folder / "program.py").write_text(PROGRAM)
    with open_laboratory(folder, "program.py", tensorflow) as laboratory:
        trials = [
            laboratory.observe({}),
            laboratory.witness({}),
            laboratory.witness({}, Variation(eager=True)),
            laboratory.witness({}, Variation(shift=1)),
        ]
    first, again, eager, shifted = (trial.witnessed for trial in trials)
    assert first == again
    return first, eager, shifted, [trial.ended.output for trial in trials]


def test_calls_from_eager_code_are_sampled(seen: tuple[Witnessed, ...]) -> None:
    first, eager, *_ = seen
    assert first.times == Counter(step=40, fail=1)
    assert {number for name, number in first.calls if name == "step"} == {*range(1, 17), 32}
    assert eager.times == first.times
    assert first.calls["step", 1].leaves[1] == Leaf("float32", (), (5.0,))
    assert eager.calls["step", 1].leaves[1] == Leaf("float32", (), (5.0,))


def test_errors_of_calls(seen: tuple[Witnessed, ...]) -> None:
    assert [one.calls["fail", 1].error for one in seen[:2]] == ["ValueError", "ValueError"]


def test_variables_that_the_program_let_go(seen: tuple[Witnessed, ...]) -> None:
    (variable,) = seen[0].variables
    assert variable == ("Variable:0", Leaf("float32", (2,), (41.0, "nan")))


def test_what_is_printed_while_tracing(seen: tuple[Witnessed, ...]) -> None:
    assert (seen[0].printed, seen[1].printed) == (("tracing",), ())


def test_random_numbers_are_seeded_and_can_be_shifted(seen: tuple[Witnessed, ...]) -> None:
    first, _, shifted, outputs = seen
    assert outputs[0] == outputs[1]  # type: ignore[index]
    assert outputs[0] != outputs[3]  # type: ignore[index]
    assert first.calls["step", 1].leaves[0] != shifted.calls["step", 1].leaves[0]
