"""Every second belongs to a first trace, a finding, what is benign in total, or is unexplained."""

import pytest
from tests.making import at, make_history, make_recording, make_trace, tensor, value

from graphdoctor.model import Account
from graphdoctor.recording import Trace, histories
from graphdoctor.recording.accounting import account, is_warned_of, unexplained
from graphdoctor.recording.format import Definition

LAYER = Definition(name="layer", path="train.py", line=30)
LIBRARY = {"library": True, "chain": at("train.py", 9, entered="predict"), "origin": "dataset"}


def spent(*traces: Trace, explained: tuple[int, ...] = (), calls: int | None = None) -> Account:
    recording = make_recording(*traces, calls=calls)
    return account(recording.traces, histories([recording]), set(explained))


def left(*traces: Trace, explained: tuple[int, ...] = (), calls: int | None = None) -> list[int]:
    """The traces that nothing explains, counted from 0."""
    numbers = [trace.number for trace in traces]
    reported = unexplained(histories([make_recording(*traces, calls=calls)]), set(explained))
    return [numbers.index(retrace.trace.number) for _, retraces in reported for retrace in retraces]


@pytest.mark.parametrize(
    ("traces", "calls"),
    [
        pytest.param([make_trace(value("n", 1))], 1, id="a first trace"),
        pytest.param([make_trace(value("n", n), calls=n) for n in (0, 1)], 99, id="settled"),
        pytest.param([make_trace(value("on", True)), make_trace(value("on", False))], None, id="a flag"),
        pytest.param([make_trace(passes="A"), make_trace(passes="B")], None, id="variables are made"),
        pytest.param([make_trace(object=n, **LIBRARY) for n in range(1, 5)], None, id="few of a library's"),
        pytest.param([make_trace(value("n", 1)), make_trace(value("n", 2), failed="ValueError")], None,
                     id="a failure has a finding of its own"),
    ],
)  # fmt: skip
def test_nothing_is_left(traces: list[Trace], calls: int | None) -> None:
    assert left(*traces, calls=calls) == []


def test_what_a_finding_explains_is_not_left() -> None:
    traces = [make_trace(value("n", n)) for n in range(4)]
    assert left(*traces) == [1, 2, 3]
    assert left(*traces, explained=tuple(trace.number for trace in traces[1:3])) == [3]


def test_a_label_that_is_benign_one_by_one_is_not_benign_many_times() -> None:
    assert left(*(make_trace(object=n, **LIBRARY) for n in range(1, 8))) == [1, 2, 3, 4, 5, 6]


def test_what_was_traced_inside_shares_the_reason_of_what_is_around_it() -> None:
    outer = [make_trace(value("n", n)) for n in range(4)]
    inner = [
        make_trace(tensor("x", n), function=LAYER, trace=around.number, chain=at("train.py", 5))
        for n, around in enumerate(outer)
    ]
    numbers = tuple(trace.number for trace in outer)
    assert left(*outer, *inner) == [1, 2, 3, 5, 6, 7]
    assert left(*outer, *inner, explained=numbers) == []


def test_the_account_adds_up() -> None:
    first, flag, other = (make_trace(value("n", 1), value("on", on), seconds=1.0, own_seconds=1.0) for on in
                          (True, False, None))  # fmt: skip
    last = make_trace(value("n", 2), value("on", True), own_seconds=0.25)
    reported = spent(first, flag, other, last, explained=(last.number,))
    assert reported == Account(
        first_seconds=1.0, found_seconds=0.25, benign_seconds=1.0, unexplained_seconds=1.0
    )
    assert reported.seconds == sum(trace.own_seconds for trace in (first, flag, other, last))


@pytest.mark.parametrize(
    ("calls", "warned"),
    [
        ([0, 1, 2, 3], False),
        ([0, 10, 20, 30, 40], False),
        ([0, 0, 1, 1, 2], False),  # a first call may trace twice
        ([0, 1, 2, 3, 4], True),
        ([0, 50, 52, 54, 56, 60], True),
    ],
)
def test_tensorflow_warns_when_five_of_ten_calls_were_traced(calls: list[int], warned: bool) -> None:
    traces = (make_trace(value("n", number), calls=call) for number, call in enumerate(calls))
    assert is_warned_of(make_history(*traces, calls=100)) is warned


def test_a_warning_that_several_tests_bring_about_together_is_nobody_s() -> None:
    apart = [make_trace(value("n", n), calls=n, during=f"test_{n}") for n in range(6)]
    together = [make_trace(value("n", n), calls=n, during="test_all") for n in range(6)]
    assert [is_warned_of(make_history(*traces, calls=100)) for traces in (apart, together)] == [False, True]
