"""GD119: must not fire, must fire."""

import pytest
from tests.checking import check
from tests.making import judged, make_trace, tensor

from graphdoctor.recording import Trace

RULE = "GD119"


def sizes(number: int, **changes: object) -> list[Trace]:
    return [make_trace(tensor("x", size), **changes) for size in range(1, number + 1)]


@pytest.mark.parametrize(
    "traces",
    [
        pytest.param(sizes(99), id="not so many"),
        pytest.param(sizes(120, failed="ValueError"), id="failures leave no graph"),
        pytest.param(
            [make_trace(object=n, dead_functions=(n - 1,)) for n in range(1, 121)],
            id="each Function is gone before the next",
        ),
    ],
)
def test_must_not_fire(traces: list[Trace]) -> None:
    assert judged(RULE, *traces) == []


def test_one_function_holds_them() -> None:
    (finding,) = judged(RULE, *sizes(120, object=1))
    assert finding.message.startswith("`step` keeps 120 graphs (")


def test_one_function_held_them_until_the_program_ended() -> None:
    (finding,) = judged(RULE, *sizes(120, object=1), make_trace(object=2, dead_functions=(1,)))
    assert finding.message.startswith("`step` kept 120 graphs (")


def test_what_many_tests_trace_is_held_by_none() -> None:
    step = "import tensorflow as tf\n@tf.function\ndef step(x): return x\n"
    tests = [f"def test_{n}():\n  step(tf.ones([{n}]))\n" for n in range(1, 121)]
    assert check(step + "".join(tests), RULE) == []
