"""What samples and clocks add up to, with a clock that is set by hand."""

import sys
import threading
from typing import Any

from graphdoctor.observer.timing.account import Account
from graphdoctor.observer.timing.classify import Line, Sample
from graphdoctor.observer.timing.clocks import STEP, Clocks
from graphdoctor.observer.timing.holdings import WORTH_A_LOOK, Holdings, name_of
from graphdoctor.observer.timing.other_threads import UNNAMED, OtherThreads
from graphdoctor.observer.timing.process import Processors
from graphdoctor.observer.timing.steps import StepCounter
from graphdoctor.observer.timing.tensorflow_internals import phase_of_code
from graphdoctor.recording.format import BUILDING, EAGER_OPERATIONS, GRAPH_EXECUTION, OBSERVER, OTHER_PYTHON

LINE = Line("train.py", 3, "train")


class _Time:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_a_late_look_blames_nothing_for_what_an_exact_clock_measured() -> None:
    time, events = _Time(), []
    clocks = Clocks(time)
    account = Account(clocks, 0.0, events.append)
    time.now = 1.0
    account.take(Sample(GRAPH_EXECUTION, LINE), None, 1.0)
    clocks.enter(OBSERVER)
    time.now = 4.0
    clocks.leave()
    time.now = 4.5
    account.take(Sample(EAGER_OPERATIONS, LINE), None, 3.5)
    account.tell()
    assert {one.phase: one.seconds for one in events} == {
        GRAPH_EXECUTION: 1.0,
        EAGER_OPERATIONS: 0.5,
        OBSERVER: 3.0,
    }


def test_a_look_after_a_batch_of_fit_blames_nothing_for_the_batch() -> None:
    time, events = _Time(), []
    clocks = Clocks(time)
    account = Account(clocks, 0.0, events.append)
    clocks.enter(STEP)
    time.now = 1.0
    account.take(Sample(GRAPH_EXECUTION, LINE), None, 1.0)
    time.now = 4.0
    clocks.leave()
    time.now = 4.5
    account.take(Sample(OTHER_PYTHON, LINE), None, 3.5)
    assert account.graph_seconds == 4.0
    account.tell()
    assert {one.phase: one.seconds for one in events} == {GRAPH_EXECUTION: 4.0, OTHER_PYTHON: 0.5}


def test_a_batch_that_no_look_saw_is_graph_execution() -> None:
    time, events = _Time(), []
    clocks = Clocks(time)
    account = Account(clocks, 0.0, events.append)
    clocks.enter(STEP)
    time.now = 1.0
    clocks.leave()
    account.tell()
    assert [(one.phase, one.seconds) for one in events] == [(GRAPH_EXECUTION, 1.0)]


def test_the_last_step_of_a_loop_counts_and_the_end_of_the_data_does_not() -> None:
    time = _Time()
    steps = StepCounter(time)
    tape, dataset = steps.of("tape", LINE), steps.of("dataset", LINE)
    assert tape is not None
    assert dataset is not None
    for time.now in (1.0, 2.0, 3.0):
        tape.begin(time.now)
        dataset.begin(time.now)
    dataset.leave()  # the third one raised StopIteration
    assert {one.kind: one.count for one in steps.events(0.0)} == {"tape": 3, "dataset": 2}
    assert list(steps.events(0.0)) == []


def test_other_threads_are_distinguished_by_name() -> None:
    others = OtherThreads()
    others.take({-1: Sample(OTHER_PYTHON, LINE)}, 0.5)
    others.take({-1: Sample(OTHER_PYTHON, LINE)}, 0.25)
    events = list(others.events())
    assert [(one.thread, one.phase, one.seconds) for one in events] == [(UNNAMED, OTHER_PYTHON, 0.75)]
    assert list(others.events()) == []


def test_how_busy_the_processors_were_since_the_last_look() -> None:
    time, used = _Time(), _Time()
    processors = Processors(time, used, processors=2)
    time.now, used.now = 10.0, 5.0
    assert processors.busy() == 0.25
    assert processors.busy() is None
    time.now, used.now = 11.0, 8.0
    assert processors.busy() == 1.0


kept: list[Any] = []


def test_memory_that_does_not_grow_is_never_looked_through(monkeypatch) -> None:
    holdings = Holdings(_Time())
    monkeypatch.setattr(holdings, "_count", lambda start: [None])
    assert holdings.look(1000, 0.0) == []
    assert holdings.look(1000 + WORTH_A_LOOK - 1, 1.0) == []
    assert holdings.look(1000 + WORTH_A_LOOK, 2.0) == [None]


def test_the_container_of_tensors_that_grew_most_is_named(monkeypatch) -> None:
    np = __import__("numpy")
    time, cost = _Time(), _Time()
    holdings = Holdings(time, cost)
    holdings.look(0, 0.0)
    kept[:] = [np.zeros(100) for _ in range(30)]
    first = {one.kind for one in holdings.look(WORTH_A_LOOK, 1.0)}
    kept.extend(np.zeros(100) for _ in range(5000))
    time.now = 9.0
    grown = [one for one in holdings.look(2 * WORTH_A_LOOK, 2.0) if one.kind not in first]
    kept.clear()
    assert [(one.kind, one.name, one.before, one.count) for one in grown] == [
        ("list of tensors", "kept", 30, 5030)
    ]


def test_a_container_that_no_module_holds_has_no_name() -> None:
    local: list[Any] = []
    assert name_of(local) == ""


def test_a_look_never_breaks_tuples_that_another_thread_builds() -> None:
    holdings = Holdings(_Time(), lambda: 0.0)

    def look() -> None:
        for number in range(30):
            holdings.look(number * WORTH_A_LOOK, 1.0)

    looking = threading.Thread(target=look)
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    looking.start()
    try:
        while looking.is_alive():
            assert len(tuple(number for number in range(50))) == 50
    finally:
        looking.join()
        sys.setswitchinterval(interval)


def test_the_code_of_keras_for_tensorflow_is_that_of_keras() -> None:
    assert phase_of_code("/lib/keras/src/backend/tensorflow/trainer.py", "fit") == OTHER_PYTHON
    assert phase_of_code("/lib/tensorflow/python/ops/math_ops.py", "matmul") == EAGER_OPERATIONS
    assert phase_of_code("/lib/keras/src/layers/layer.py", "__new__") == BUILDING
