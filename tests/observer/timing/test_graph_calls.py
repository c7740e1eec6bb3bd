"""The steps of a loop that calls a graph function: TensorFlow's counters, read between looks."""

import pytest

from graphdoctor.observer import tensorflow_internals as tensorflow
from graphdoctor.observer.timing.graph_calls import GraphCalls
from graphdoctor.observer.timing.steps import StepCounter
from graphdoctor.recording.format import Steps


def step() -> None:
    """The graph function of these tests."""


class Counters:
    """A clock and TensorFlow's counters, turned by hand."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now, self.counts = 0.0, {}
        monkeypatch.setattr(tensorflow, "call_counts", lambda: iter(self.counts.items()))
        monkeypatch.setattr(tensorflow, "call_count", lambda code: self.counts[code])
        self.steps = StepCounter(lambda: self.now)
        self.calls = GraphCalls(self.steps)

    def wait(self, seconds: float) -> None:
        self.now += seconds

    def traced_call(self, seconds: float, forgotten: int = 0) -> None:
        self.calls.trace_begins(step.__code__)
        self.wait(seconds)
        self.counts[step.__code__] = self.counts.get(step.__code__, 0) + 1 - forgotten
        self.calls.traced_call_ends(step.__code__, forgotten)

    def call(self, seconds: float) -> None:
        self.wait(seconds)
        self.counts[step.__code__] += 1

    def seen(self) -> Steps:
        self.calls.look()
        (found,) = self.steps.events(0.0)
        return found


@pytest.fixture
def counters(monkeypatch: pytest.MonkeyPatch) -> Counters:
    return Counters(monkeypatch)


def test_the_first_call_is_a_step_that_lasts_from_its_trace_on(counters: Counters) -> None:
    counters.wait(5.0)
    counters.traced_call(2.0)
    counters.call(0.5)
    counters.call(0.5)
    seen = counters.seen()
    assert (seen.count, seen.first_seconds, seen.median_seconds) == (3, 2.0, 0.5)


def test_a_function_that_was_traced_before_the_looks_begins_at_the_look_before(counters: Counters) -> None:
    counters.counts[step.__code__] = 0
    counters.wait(3.0)
    counters.calls.look()
    counters.call(0.25)
    seen = counters.seen()
    assert (seen.count, seen.first_seconds) == (1, 0.25)


def test_calls_that_the_counter_drops_are_counted(counters: Counters) -> None:
    for _ in range(20):
        counters.traced_call(1.0, forgotten=1 if counters.counts.get(step.__code__, 0) > 5 else 0)
    assert counters.seen().count == 20
