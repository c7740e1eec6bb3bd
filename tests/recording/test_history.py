"""All traces of a function: what counts as a retrace, and what it is put down to."""

import pytest
from tests.making import make_history, make_recording, make_trace, tensor, thing, value

from graphdoctor.model import Change, FunctionRef
from graphdoctor.recording import Trace, histories
from graphdoctor.recording.format import Definition
from graphdoctor.recording.labels import (
    ANOTHER_MODEL,
    BOTH_BOOLS,
    COMPILED_AGAIN,
    GENERALISED,
    LAST_BATCH,
    LIBRARY,
    PER_INSTANCE,
    SETTLED,
    VARIABLE_CREATION,
)


def test_variable_creation_pass_is_not_a_retrace() -> None:
    history = make_history(
        make_trace(tensor("x", 3)), make_trace(tensor("x", 3), passes="NO_VARIABLE_CREATION")
    )
    assert [retrace.label for retrace in history.retraces] == [VARIABLE_CREATION]
    assert (history.summary().traces, history.summary().retraces) == (2, 0)


def test_reduce_retracing_that_generalises_is_benign() -> None:
    history = make_history(
        make_trace(tensor("x", 3), options={"reduce_retracing": "True"}),
        make_trace(tensor("x", 4), options={"reduce_retracing": "True"}),
    )
    assert [cause.label for cause in history.summary().causes] == [GENERALISED]
    assert history.summary().causes[0].benign


def test_a_function_object_per_instance_is_benign() -> None:
    history = make_history(*(make_trace(object=n, per_instance=True) for n in (1, 2, 3)))
    assert [retrace.label for retrace in history.retraces] == [PER_INSTANCE] * 2
    assert history.objects == 3


@pytest.mark.parametrize(
    ("model", "step", "labels"),
    [(1, "train_step", [COMPILED_AGAIN]), (1, "test_step", []), (2, "train_step", [ANOTHER_MODEL])],
)
def test_a_new_step_of_keras_is_reported_by_whose_it_is(model: int, step: str, labels: list[str]) -> None:
    keras = {"library": True, "origin": "keras"}
    first = make_trace(tensor("x", 3), object=1, model=1, step="train_step", **keras)
    history = make_history(first, make_trace(tensor("x", 3), object=2, model=model, step=step, **keras))
    assert [retrace.label for retrace in history.retraces] == labels


def test_training_flag_is_benign() -> None:
    history = make_history(make_trace(value("training", True)), make_trace(value("training", False)))
    assert [retrace.label for retrace in history.retraces] == [BOTH_BOOLS]


def test_many_combinations_of_flags_are_one_cause() -> None:
    flags = [(a, b, c) for a in (True, False) for b in (True, False) for c in (True, False)]
    history = make_history(
        *(make_trace(*(value(f"flags[{i}]", flag) for i, flag in enumerate(three))) for three in flags),
        calls=9,
    )
    assert {retrace.label for retrace in history.retraces} == {None}
    (cause,) = history.summary().causes
    assert (cause.argument, cause.change, cause.count) == ("flags", Change.PYTHON_VALUE, 7)
    assert cause.now == "(False, False, False)"


def test_a_few_flags_stay_benign() -> None:
    pairs = [(True, True), (True, False), (False, False)]
    history = make_history(*(make_trace(value("a", a), value("b", b)) for a, b in pairs))
    assert {retrace.label for retrace in history.retraces} == {BOTH_BOOLS}


def test_causes_add_up_and_name_values_latest_first() -> None:
    history = make_history(*(make_trace(value("step", number)) for number in range(5)), calls=5)
    (cause,) = history.summary().causes
    assert (cause.argument, cause.change, cause.count) == ("step", Change.PYTHON_VALUE, 4)
    assert (cause.now, cause.before, cause.seconds, cause.benign) == ("4", "3, 2, 1, 0", 2.0, False)
    assert history.summary().calls == 5


def test_many_values_are_cut() -> None:
    history = make_history(*(make_trace(value("step", number)) for number in range(20)))
    assert history.summary().causes[0].before == "18, 17, 16, 15, 14, 13, 12, 11, …"


def test_a_retrace_counts_for_every_argument_that_differs() -> None:
    history = make_history(make_trace(value("a", 1), value("b", 1)), make_trace(value("a", 2), value("b", 2)))
    assert [cause.argument for cause in history.summary().causes] == ["a", "b"]


def test_needless_is_proven_by_equal_graphs_only() -> None:
    history = make_history(
        make_trace(value("k", 1)),
        make_trace(value("k", 2)),
        make_trace(value("k", 3), fingerprint="other"),
        make_trace(value("k", 4), fingerprint=None, failed="ValueError"),
    )
    assert [retrace.needless for retrace in history.retraces] == [True, False, None]


def test_a_new_function_object_is_compared_with_the_earlier_ones() -> None:
    history = make_history(make_trace(tensor("x", 3)), make_trace(tensor("x", 3), object=2))
    (retrace,) = history.retraces
    assert [d.change for d in retrace.differences] == [Change.NEW_FUNCTION_OBJECT]


def test_dead_objects_are_known() -> None:
    history = make_history(make_trace(thing("c", 1)), make_trace(thing("c", 2), dead_objects=(1,)))
    assert history.dead_objects == {1}


@pytest.mark.parametrize(
    ("called", "calls", "settled"),
    [
        ((0, 3, 5), 60, True),  # three buckets of lengths, all seen in the first calls
        ((0, 100, 200), 300, False),  # one more at each epoch: it goes on
        ((0, 1, 2), 3, False),
        ((0, 1, 2, 3, 4), 500, False),  # not few
        ((0, None, None), 60, False),
        ((0, 3, 5), None, False),
    ],
)
def test_few_graphs_that_serve_many_calls_are_a_choice(
    called: tuple[int | None, ...], calls: int | None, settled: bool
) -> None:
    traces = (make_trace(tensor("x", 16 * n), calls=before) for n, before in enumerate(called, 1))
    history = make_history(*traces, calls=calls)
    (cause,) = history.summary().causes
    assert history.has_settled is settled
    assert history.caused_by(Change.SHAPE).keys() == (set() if settled else {"x"})
    assert (cause.benign, cause.label) == (False, SETTLED if settled else None)


def test_a_new_function_object_is_not_put_down_to_its_arguments() -> None:
    history = make_history(*(make_trace(value("factor", n), object=n) for n in range(1, 5)))
    assert not history.caused_by(Change.PYTHON_VALUE)
    assert len(history.caused_by(Change.NEW_FUNCTION_OBJECT)[None]) == 3


@pytest.mark.parametrize(
    ("sizes", "labels"),
    [
        ((32, 4), [LAST_BATCH]),
        ((32, 4, 7), [LAST_BATCH, None]),  # the last batch of the training, and that of the validation
        ((51, 39, 59, 9), [None, None, None]),  # the second just happens to be smaller
    ],
)
def test_sizes_that_go_on_changing_are_no_last_batch(
    sizes: tuple[int, ...], labels: list[str | None]
) -> None:
    history = make_history(*(make_trace(tensor("x", size, 3)) for size in sizes))
    assert [retrace.label for retrace in history.retraces] == labels


def test_a_librarys_function_that_the_program_made_a_graph_function_is_its_own() -> None:
    def traces(direct: bool) -> list[Trace]:
        norm = Definition(name="norm", path="/site-packages/tensorflow/linalg.py", line=7)
        shapes = (tensor("x", 3, size) for size in (4, 5))
        return [make_trace(shape, function=norm, library=True, direct=direct) for shape in shapes]

    (library,) = histories((make_recording(*traces(direct=False)),))
    (own,) = histories((make_recording(*traces(direct=True)),))
    assert [retrace.label for retrace in library.retraces] == [LIBRARY]
    assert [retrace.label for retrace in own.retraces] == [None]
    assert own.function == FunctionRef(name="norm", path="train.py", line=9)
