"""Evidence → confidence: the whole table."""

import itertools

import msgspec
import pytest

from graphdoctor.model import Called, Finding, Grounds, Level, Severity, confidence

HIGH, MEDIUM, LOW = Level.HIGH, Level.MEDIUM, Level.LOW
ERROR, WRONG, SLOW = Severity.ERROR, Severity.WRONG, Severity.SLOW


def predicted(claim: Severity = ERROR, **more: object) -> Grounds:
    return msgspec.structs.replace(Grounds(reached="must", called=Called.PROGRAM, claim=claim), **more)


@pytest.mark.parametrize(
    ("grounds", "level"),
    [
        (Grounds(), HIGH),
        (Grounds(traced="assumed", called=Called.DRIVER, inputs=("data",)), HIGH),
        (Grounds(caught=True), MEDIUM),
        (Grounds(caught=True, expected=True), LOW),
        (predicted(), HIGH),
        (predicted(reached="some"), MEDIUM),
        (predicted(reached="may"), LOW),
        (predicted(traced="eager"), HIGH),
        (predicted(traced="assumed"), LOW),
        (predicted(called=Called.DRIVER), MEDIUM),
        (predicted(called=Called.DRIVER, reached="some"), LOW),
        (predicted(WRONG, called=Called.DRIVER), MEDIUM),
        (predicted(WRONG, called=Called.DRIVER, reached="some"), LOW),
        (predicted(SLOW, called=Called.DRIVER, reached="some"), MEDIUM),
        (predicted(called=Called.NOTHING), MEDIUM),
        (predicted(WRONG, called=Called.NOTHING), LOW),
        (predicted(reached="some", called=Called.NOTHING), LOW),
        (predicted(called=Called.TEST), HIGH),
        (predicted(SLOW, called=Called.TEST), LOW),
        (predicted(caught=True), MEDIUM),
        (predicted(expected=True), LOW),
        (predicted(inputs=("the shapes of the data",)), MEDIUM),
        (predicted(inputs=("the shapes of the data",), called=Called.DRIVER), LOW),
        (predicted(generation="TensorFlow 1"), LOW),
        (predicted(only_in="Keras 3"), LOW),
        (predicted(ran=True), LOW),
        (predicted(ends_at="missing"), LOW),
        (predicted(eager_in="main.py"), LOW),
    ],
)
def test_evidence_decides_the_level(grounds: Grounds, level: Level) -> None:
    assert confidence(grounds).level is level


def test_reasons_come_with_each_level_but_high_and_the_weightiest_is_first() -> None:
    found = confidence(predicted(called=Called.DRIVER, reached="may"))
    assert found.reasons == (
        "an unknown condition decides whether it is reached",
        "nothing in the project shows how it is called",
    )
    assert confidence(predicted()).reasons == ()


def test_more_doubt_never_raises_the_level() -> None:
    doubts = [
        {"reached": "some"},
        {"traced": "assumed"},
        {"called": Called.DRIVER},
        {"caught": True},
        {"ends_at": "x"},
        {"inputs": ("data",)},
    ]
    for one, other in itertools.permutations(doubts, 2):
        assert confidence(predicted(**one, **other)).level.rank >= confidence(predicted(**one)).level.rank


def test_json_has_the_confidence_and_the_deprecated_certainty_but_no_grounds() -> None:
    span = {"path": "a.py", "line": 1, "column": 1, "end_line": 1, "end_column": 2}
    made = Finding(**span, rule="GD101", name="n", severity=SLOW, message="m")
    found = made.on(predicted(SLOW, reached="may"))
    assert not found.is_shown
    assert made.is_shown
    assert found.certainty is not None
    assert found.certainty.doubt == "an unknown condition decides whether it is reached"
