"""Exact clocks: phases inside phases, other threads, and tracebacks that do not show them."""

import threading
import traceback

import pytest

from graphdoctor.observer.timing.clocks import NOTHING, Clocks
from graphdoctor.recording.format import CALLBACKS, INPUT, SAVING, TRACING


class _Time:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_saving_inside_a_callback_is_saving_and_input_inside_a_trace_is_tracing() -> None:
    time = _Time()
    clocks = Clocks(time)
    clocks.enter(CALLBACKS)
    time.now = 1.0
    clocks.enter(SAVING)
    time.now = 3.0
    clocks.leave()
    clocks.leave()
    clocks.enter(TRACING)
    clocks.enter(INPUT)
    time.now = 7.0
    clocks.leave()
    clocks.leave()
    assert clocks.totals() == {NOTHING: 0.0, CALLBACKS: 1.0, SAVING: 2.0, TRACING: 4.0}


def test_a_clock_too_much_left_does_no_harm() -> None:
    clocks = Clocks(_Time())
    clocks.leave()
    clocks.enter(INPUT)
    assert clocks.stack[-1] == INPUT


def test_another_thread_is_not_timed() -> None:
    clocks = Clocks()
    timed = clocks.timed(lambda: list(clocks.stack), INPUT)
    seen: list[list[str]] = []
    thread = threading.Thread(target=lambda: seen.append(timed()))
    thread.start()
    thread.join()
    assert seen == [[NOTHING]]
    assert timed() == [NOTHING, INPUT]


def test_a_traceback_through_a_timed_function_is_as_without_it() -> None:
    def fails() -> None:
        raise ValueError("x")

    with pytest.raises(ValueError, match="x") as caught:
        Clocks().timed(fails, INPUT)()
    names = [frame.name for frame in traceback.extract_tb(caught.value.__traceback__)]
    assert names == ["test_a_traceback_through_a_timed_function_is_as_without_it", "fails"]
