"""The thread that looks: what it leaves behind."""

import sys
import threading

import pytest

from graphdoctor.observer.timing.classify import LEAVING, Line, Sample
from graphdoctor.observer.timing.sampler import SWITCH_INTERVAL, Sampler
from graphdoctor.recording.format import GRAPH_EXECUTION, INPUT, OTHER_PYTHON


@pytest.fixture
def interval():
    """Python's switch interval as it was, whatever a test does."""
    before = sys.getswitchinterval()
    yield before
    sys.setswitchinterval(before)


def _look(times: int, taken) -> Sampler:
    """A sampler that has looked so often."""
    enough, seen = threading.Event(), []

    def count(*sample) -> None:
        taken(*sample)
        seen.append(sample)
        if len(seen) >= times:
            enough.set()

    sampler = Sampler(threading.get_ident(), count)
    sampler.start()
    assert enough.wait(30)
    return sampler


def test_the_switch_interval_is_short_while_it_looks_and_then_as_before(interval) -> None:
    during = []
    _look(3, lambda *sample: during.append(sys.getswitchinterval())).stop()
    assert during[-1] == pytest.approx(SWITCH_INTERVAL)
    assert sys.getswitchinterval() == pytest.approx(interval)


def test_an_interval_that_the_program_set_meanwhile_stays(interval) -> None:
    sampler = _look(3, lambda *sample: None)
    sys.setswitchinterval(0.02)
    sampler.stop()
    assert sys.getswitchinterval() == pytest.approx(0.02)


def test_a_fault_of_ours_ends_the_looking_and_restores_the_interval(interval) -> None:
    looked = threading.Event()

    def fail(*sample) -> None:
        looked.set()
        raise RuntimeError("ours")

    sampler = Sampler(threading.get_ident(), fail)
    sampler.start()
    assert looked.wait(30)
    sampler.stop()
    assert sys.getswitchinterval() == pytest.approx(interval)


def test_a_keras_loop_that_has_returned_waits_for_its_input() -> None:
    sampler = Sampler(threading.get_ident(), lambda *sample: None)
    ended = Sample(OTHER_PYTHON, Line("train.py", 3, "main", LEAVING))
    assert sampler._released(ended) == ended
    sampler._released(Sample(GRAPH_EXECUTION, Line("train.py", 3, "main", "fit")))
    assert sampler._released(ended) == Sample(INPUT, Line("train.py", 3, "main", "fit"))
    elsewhere = Sample(OTHER_PYTHON, Line("train.py", 4, "main", LEAVING))
    assert sampler._released(elsewhere) == elsewhere
