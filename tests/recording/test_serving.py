"""A model of its own for each fold is no object that is made again for each call."""

import dataclasses

from tests.making import make_history, make_recording, make_trace, thing

from graphdoctor.recording.format import Argument, Calls, Definition
from graphdoctor.recording.history import histories
from graphdoctor.recording.labels import ANOTHER_OWNER
from graphdoctor.recording.serving import served_calls


def model(identity: int, path: str = "model") -> Argument:
    return dataclasses.replace(thing(path, identity, "Sequential"), variables=True)


def labels(*traces: object, calls: int | None) -> list[str | None]:
    return [retrace.label for retrace in make_history(*traces, calls=calls).retraces]  # type: ignore[arg-type]


def test_a_model_for_each_fold_is_used_again_and_again() -> None:
    traces = [make_trace(model(k), thing("optimizer", 10 + k), calls=100 * k) for k in range(4)]
    assert labels(*traces, calls=400) == [ANOTHER_OWNER] * 3


def test_a_model_for_each_call_is_not() -> None:
    traces = [make_trace(model(k), calls=k) for k in range(4)]
    assert labels(*traces, calls=4) == [None] * 3


def test_those_that_served_few_calls_are_reported_among_others() -> None:
    traces = [make_trace(model(k), calls=calls) for k, calls in enumerate((0, 100, 101, 102))]
    assert labels(*traces, calls=202) == [None, None, ANOTHER_OWNER]


def test_an_object_without_variables_is_no_model() -> None:
    traces = [make_trace(thing("schedule", k), calls=100 * k) for k in range(4)]
    assert labels(*traces, calls=400) == [None] * 3


def test_an_optimizer_that_is_new_at_each_epoch_is_reported() -> None:
    traces = [make_trace(model(1), thing("optimizer", 10 + k), calls=100 * k) for k in range(4)]
    assert labels(*traces, calls=400) == [None] * 3


def test_nothing_is_known_without_the_number_of_calls() -> None:
    traces = [make_trace(model(k), calls=100 * k) for k in range(3)]
    assert labels(*traces, calls=None) == [None] * 2
    assert served_calls([], 3) == {}


def test_a_validation_once_for_each_fold_goes_with_its_training() -> None:
    validate = Definition(name="validate", path="train.py", line=30)
    events = [
        trace
        for k in range(3)
        for trace in (
            make_trace(model(k), calls=50 * k),
            make_trace(model(k), calls=k, function=validate, object=2),
        )
    ]
    reported = histories([make_recording(*events, Calls(function=validate, calls=3), calls=150)])
    found = {history.function.name: [r.label for r in history.retraces] for history in reported}
    assert found == {"step": [ANOTHER_OWNER] * 2, "validate": [ANOTHER_OWNER] * 2}


def test_calls_belong_to_what_was_traced_last() -> None:
    traces = [make_trace(model(k), calls=calls) for k, calls in ((1, 0), (1, 0), (2, 7))]
    assert served_calls(traces, 9) == {(1, (1,)): 7, (1, (2,)): 2}
