"""The lock: what is counted, what is an increase, and what is not a lock."""

import pathlib

import pytest
from tests.making import make_recording, make_trace, tensor, thing, value

from graphdoctor.errors import GraphdoctorError
from graphdoctor.integrations.lock import Lock, count_traces, increases, read_lock, write_lock
from graphdoctor.recording import Recording


def steps(*numbers: int, **end: object) -> Recording:
    return make_recording(*(make_trace(value("step", number)) for number in numbers), **end)


def test_the_same_trace_in_two_workers_is_one() -> None:
    serial = count_traces((steps(1, 2, 3),))
    spread = count_traces((steps(1, 2), steps(2, 3)))
    assert serial == spread == Lock(functions={"train.py::step": 3})


def test_a_function_made_inside_a_test_counts_in_every_worker() -> None:
    spread = (steps(1, dead_functions=(1,)), steps(1, dead_functions=(1,)))
    assert count_traces(spread).functions == {"train.py::step": 2}


def methods(*objects: int) -> Recording:
    """A method of as many instances, all gone at the end of the tests that made them."""
    traces = [make_trace(tensor("x", 3), object=number, per_instance=True) for number in objects]
    return make_recording(*traces, dead_functions=objects)


def test_instances_count_once_however_tests_are_spread() -> None:
    serial = count_traces((methods(1, 2, 3),))
    spread = count_traces((methods(1), methods(1, 2)))
    assert serial == spread == Lock(functions={"train.py::step": 1})


def test_fresh_objects_count_each_time() -> None:
    recording = make_recording(*(make_trace(thing("config", number)) for number in (1, 2, 3)))
    assert count_traces((recording,)).functions == {"train.py::step": 3}


def test_the_pass_that_creates_variables_does_not_count() -> None:
    twice = [
        make_trace(tensor("x", 3), passes=name) for name in ("VARIABLE_CREATION", "NO_VARIABLE_CREATION")
    ]
    assert count_traces((make_recording(*twice),)).functions == {"train.py::step": 1}


def test_no_run_is_no_trace() -> None:
    assert count_traces(()).functions == {}


def test_fewer_traces_and_one_of_a_new_function_are_no_increase() -> None:
    allowed = Lock(functions={"a.py::f": 2, "a.py::gone": 1})
    assert list(increases(allowed, Lock(functions={"a.py::f": 1, "a.py::new": 1}))) == []


def test_increases_are_named() -> None:
    allowed = Lock(functions={"a.py::f": 2})
    assert list(increases(allowed, Lock(functions={"a.py::f": 3, "a.py::new": 2}))) == [
        "a.py::f was traced 3 times, the lock allows 2",
        "a.py::new was traced 2 times, it is not in the lock",
    ]


def test_a_lock_is_written_and_read_again(tmp_path: pathlib.Path) -> None:
    lock = Lock(functions={"a.py::f": 2})
    write_lock(tmp_path / "graphdoctor.lock", lock)
    assert read_lock(tmp_path / "graphdoctor.lock") == lock


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "not a lock (Input data was truncated): write it again"),
        (
            '{"format": "graphdoctor-lock", "version": 2, "functions": {}}',
            "lock has format graphdoctor-lock 2, this version reads graphdoctor-lock up to 1: "
            "upgrade graphdoctor",
        ),
    ],
)
def test_what_is_not_a_lock_is_one_line(tmp_path: pathlib.Path, text: str, message: str) -> None:
    path = tmp_path / "graphdoctor.lock"
    path.write_text(text)
    with pytest.raises(GraphdoctorError) as caught:
        read_lock(path)
    assert str(caught.value) == f"{path}: {message}"
