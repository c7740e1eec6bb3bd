"""What a project allows, and what breaks it."""

import pytest

from graphdoctor.config import Config
from graphdoctor.errors import GraphdoctorError
from graphdoctor.judging import judge_recordings
from graphdoctor.model import Report
from graphdoctor.recording import Selection, Trace
from graphdoctor.verdict import Allowance, broken
from tests.making import make_recording, make_trace, tensor, value

COUNTER = [make_trace(value("step", number)) for number in range(4)]
BENIGN = [
    make_trace(tensor("x", 3)),
    make_trace(tensor("x", 3), passes="NO_VARIABLE_CREATION"),
    make_trace(tensor("x", 3), object=2, per_instance=True),
]


def report(traces: list[Trace], warmup: int = 0) -> Report:
    return judge_recordings((make_recording(*traces),), Config(), Selection(warmup=warmup))


@pytest.mark.parametrize(
    ("traces", "allowance"),
    [
        (COUNTER, Allowance()),
        (COUNTER, Allowance(max_traces=4)),
        (COUNTER, Allowance(fail_on=("GD2xx", "shape-varies"))),
        (COUNTER, Allowance(max_traces=0, warmup=4)),
        (COUNTER, Allowance(fail_on=("retrace", "GD1xx"), warmup=4)),
        (BENIGN, Allowance(max_traces=1, fail_on=("retrace", "GD"))),
    ],
)
def test_allowed(traces: list[Trace], allowance: Allowance) -> None:
    assert list(broken(report(traces, allowance.warmup), allowance)) == []


@pytest.mark.parametrize(
    ("selection", "shown", "hidden"),
    [
        (Selection(), 1, ()),
        (Selection(include=("train.py",)), 1, ()),
        (Selection(include=("other.py",)), 0, ("GD101 train.py:9",)),
        (Selection(exclude=("train.py",)), 0, ("GD101 train.py:9",)),
        (Selection(include=("other.py",), warmup=4), 0, ()),
    ],
)
def test_what_nobody_asked_for_is_named(selection: Selection, shown: int, hidden: tuple[str, ...]) -> None:
    reported = judge_recordings((make_recording(*COUNTER),), Config(), selection)
    assert reported.run is not None
    assert (len(reported.findings), reported.run.hidden) == (shown, hidden)


MANY = "train.py:3: `step` was traced 4 times, allowed are 3"
AGAIN = "train.py:3: `step` was traced again: `step`: now 3, before 2, 1, 0"
FOUND = (
    "train.py:9: GD101 python-number-argument: `step` was traced 3 more times (1.5 s) "
    "because `step` is a Python number"
)


@pytest.mark.parametrize(
    ("allowance", "sentences"),
    [
        (Allowance(max_traces=3), [MANY]),
        (Allowance(fail_on=("retrace",)), [AGAIN]),
        (Allowance(fail_on=("GD1xx",)), [FOUND]),
        (Allowance(fail_on=("gd101",)), [FOUND]),
        (Allowance(fail_on=("python-number-argument",)), [FOUND]),
        (Allowance(fail_on=("retrace", "GD101"), max_traces=3), [MANY, AGAIN, FOUND]),
        (
            Allowance(max_traces=2, warmup=1),
            ["train.py:3: `step` was traced 3 times after the first 1, allowed are 2"],
        ),
    ],
)
def test_not_allowed(allowance: Allowance, sentences: list[str]) -> None:
    assert list(broken(report(COUNTER, allowance.warmup), allowance)) == sentences


def test_nonsense_is_refused() -> None:
    with pytest.raises(GraphdoctorError, match=r"^max_traces must be 0 or more, not -1$"):
        Allowance(max_traces=-1)
