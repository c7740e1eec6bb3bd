"""Advice names what changed, where, and the fix that fits."""

from tests.making import make_recording, make_trace, tensor, value

from graphdoctor.diagnosis.advice import Advice, advise, compiling_seconds
from graphdoctor.recording.format import Compilations, CompiledShape


def test_changing_lengths_get_a_signature():
    traces = [make_trace(tensor("mel", 4, size, 16)) for size in (80, 90, 70)]

    assert advise(make_recording(*traces)) == (
        Advice(
            1.0,
            "step (train.py:3) was traced 2 more times: `mel` axis 1: 80, 90, 70",
            "give the step an `input_signature` with `None` on axis 1 (`batching.signature(dataset)`):"
            " one trace for all lengths; or pad to planned lengths",
        ),
    )


def test_changing_numbers_of_rows_get_another_fix():
    traces = [make_trace(tensor("mel", rows, 80)) for rows in (32, 5, 7)]

    (advice,) = advise(make_recording(*traces))

    assert advice.fix == "drop the last incomplete batch (`drop_remainder=True`), or fill it up and mask it"


def test_many_values_are_cut():
    traces = [make_trace(value("step", number)) for number in range(9)]

    (advice,) = advise(make_recording(*traces))

    assert advice.cause == "step (train.py:3) was traced 8 more times: `step`: 0, 1, 2, 3, 4, 5, …"


def test_what_compiling_took_is_inferred_from_calls_without_it():
    never_again = CompiledShape(shapes="[4, 9]", first_seconds=3.0, best_seconds=3.0, calls=1)
    again = CompiledShape(shapes="[4, 8]", first_seconds=2.0, best_seconds=0.5, calls=3)

    assert compiling_seconds(Compilations(trace=1, shapes=(again, never_again))) == 2.5
    assert compiling_seconds(Compilations(trace=1, shapes=(never_again, never_again))) == 0.0
