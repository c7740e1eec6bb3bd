"""GD108, GD112, GD132 and GD133 on accounts that are built by hand: silent first, then each that fires."""

import pathlib
from typing import Any

import pytest
from tests.making import at, judged, make_recording

from graphdoctor.model import Finding, apply_edits
from graphdoctor.recording.format import (
    CALLBACKS,
    EAGER_OPERATIONS,
    GRAPH_EXECUTION,
    IMPORT,
    INPUT,
    OTHER_PYTHON,
    SAVING,
    TRACING,
    Applied,
    Phase,
    Pipeline,
    Place,
    Stage,
    Steps,
)
from graphdoctor.rules.facts import Facts
from graphdoctor.rules.registry import find_rule
from graphdoctor.source.sites import Sources

RULES = ("GD108", "GD112", "GD132", "GD133")
STEPS: dict[str, Any] = {
    "kind": "fit",
    "count": 101,
    "seconds": 12.0,
    "first_seconds": 2.0,
    "median_seconds": 0.1,
    "late_seconds": 0.12,
    "begun": 3.0,
    "ended": 15.0,
    "chain": at("train.py", 9, entered="fit"),
}


def _phase(phase: str, seconds: float, line: int = 9, start: float = 5.0, **more: Any) -> Phase:
    return Phase(phase=phase, seconds=seconds, start=start, span=10.0, chain=at("train.py", line), **more)


def _steps(**changes: Any) -> Steps:
    return Steps(**{**STEPS, **changes})


def _reported(*events: Any) -> list[tuple[str, int, str, str]]:
    return [
        (one.rule, one.line, one.message, one.fix.title if one.fix else "")
        for rule in RULES
        for one in judged(rule, *events)
    ]


@pytest.mark.parametrize(
    "events",
    [
        pytest.param((), id="time was not accounted for"),
        pytest.param((_phase(GRAPH_EXECUTION, 10.0),), id="a program that never steps"),
        pytest.param((_phase(GRAPH_EXECUTION, 9.5), _phase(INPUT, 0.5), _steps()), id="a good fit"),
        pytest.param(
            (_phase(INPUT, 10.0, start=-8.0), _phase(GRAPH_EXECUTION, 9.0), _steps()),
            id="input before the training",
        ),
        pytest.param((_phase(INPUT, 10.0), _steps(count=3)), id="too few steps"),
        pytest.param(
            (_phase(INPUT, 0.5), _phase(GRAPH_EXECUTION, 0.5), _steps()), id="half a second of input"
        ),
        pytest.param(
            (_phase(EAGER_OPERATIONS, 9.0), _steps(kind="dataset")), id="eager operations without a tape"
        ),
        pytest.param(
            (
                _phase(EAGER_OPERATIONS, 4.0),
                _phase(GRAPH_EXECUTION, 6.0),
                _steps(kind="tape", chain=at("train.py", 5, "step")),
            ),
            id="a tape around graph functions",
        ),
        pytest.param(
            (
                _phase(EAGER_OPERATIONS, 9.0),
                _steps(),
                _steps(kind="tape"),
                Applied(what="compile", object="model", options={"eagerly": "True"}, chain=at("train.py", 8)),
            ),
            id="asked to run eagerly, which GD905 reports",
        ),
        pytest.param(
            (_phase(CALLBACKS, 2.0), _phase(GRAPH_EXECUTION, 8.0), _steps()), id="a fifth in callbacks"
        ),
        pytest.param((_phase(TRACING, 9.0), _steps()), id="tracing, which other rules report"),
        pytest.param(
            (_phase(GRAPH_EXECUTION, 10.0), _steps(), _steps(kind="evaluate", seconds=9.0)),
            id="evaluations shorter than the training",
        ),
        pytest.param(
            (_phase(GRAPH_EXECUTION, 10.0), _steps(count=9000, median_seconds=0.001, per_execution=8)),
            id="tiny steps, several per execution",
        ),
        pytest.param(
            (_phase(GRAPH_EXECUTION, 10.0), _steps(count=900, median_seconds=0.001)), id="few tiny steps"
        ),
        pytest.param(
            (_phase(GRAPH_EXECUTION, 10.0), _steps(kind="calls", count=9000, median_seconds=0.001)),
            id="tiny steps of a hand-written loop",
        ),
        pytest.param((_phase(IMPORT, 10.0), _steps()), id="import while training"),
        pytest.param(
            (
                Phase(
                    phase=INPUT, seconds=8.0, start=5.0, span=10.0, chain=at("train.py", 4, entered="predict")
                ),
                _phase(EAGER_OPERATIONS, 2.0),
                _steps(),
            ),
            id="the pipeline of a `predict` between the steps",
        ),
        pytest.param(
            (_phase(OTHER_PYTHON, 4.0, line=4), _phase(GRAPH_EXECUTION, 6.0), _steps(kind="calls")),
            id="Python that takes less than half of a loop",
        ),
        pytest.param(
            (_phase(OTHER_PYTHON, 8.0), _phase(GRAPH_EXECUTION, 2.0), _steps()),
            id="what Keras does between the steps of fit",
        ),
    ],
)
def test_must_not_fire(events: tuple[Any, ...]) -> None:
    assert _reported(*events) == []


WAITED = (_phase(INPUT, 8.0, line=4), _phase(GRAPH_EXECUTION, 2.0), _steps())
WORDS = "training waited 8.0 s of 10 s (80 %) for input after its first step"


@pytest.mark.parametrize(
    ("stages", "line", "clause", "order"),
    [
        ((), 4, "", "Make the input pipeline faster"),
        (
            (Stage(name="from_generator", python=True),),
            4,
            ": `from_generator` runs Python for each element",
            "Produce batches without a Python generator",
        ),
        (
            (Stage(name="prefetch"), Stage(name="map", python=True, parallel=True)),
            4,
            ": `map` runs Python for each element",
            "Use TensorFlow operations in `map`",
        ),
        (
            (Stage(name="batch"), Stage(name="map", place=Place(path="data.py", line=2))),
            2,
            ": `map` calls this function for each element",
            "Cache what `map` makes",
        ),
        (
            (
                Stage(name="batch"),
                Stage(name="map", place=Place(path="data.py", line=2)),
                Stage(name="cache"),
            ),
            2,
            ": `map` calls this function for each element",
            "Make `map` cheaper",
        ),
        (
            (Stage(name="map", place=Place(path="data.py", line=2)), Stage(name="interleave")),
            4,
            ": `interleave` reads one source after the other",
            "Set `num_parallel_calls` of `interleave`",
        ),
        ((Stage(name="batch"), Stage(name="map")), 4, "", "Make the input pipeline faster"),
        ((Stage(name="prefetch"), Stage(name="map", parallel=True)), 4, "", "Make the input pipeline faster"),
    ],
)
def test_input_with_its_stage(stages: tuple[Stage, ...], line: int, clause: str, order: str) -> None:
    pipeline = Pipeline(chain=at("train.py", 9, entered="fit"), stages=stages)
    assert _reported(*WAITED, pipeline) == [("GD112", line, WORDS + clause, order)]


def test_an_estimated_wait_says_so_and_shows_where_the_training_waits() -> None:
    look = Phase(phase=INPUT, of=GRAPH_EXECUTION, seconds=0.9, looked_at=1.0, chain=at("train.py", 9))
    waited = _phase(GRAPH_EXECUTION, 10.0, behind=Place(path="train.py", line=4))
    (found,) = judged("GD112", waited, look, _steps())
    assert found.message == "training waited about 9.0 s of 10 s (90 %) for input after its first step"
    assert [(one.line, one.message) for one in found.related] == [(9, "the training waits here")]
    assert found.observed is not None
    assert found.observed.seconds == 9.0


STEP_FUNCTION = """import tensorflow as tf


def train_step(x):
    with tf.GradientTape() as tape:
        loss = w * x
    w.assign_sub(tape.gradient(loss, w))


for x in data:
    train_step(x)
"""
LOOP_IN_FUNCTION = """import tensorflow as tf


def main():
    for x in data:
        with tf.GradientTape() as tape:
            loss = w * x
        w.assign_sub(tape.gradient(loss, w))


main()
"""


def _eager(directory: pathlib.Path, text: str, line: int, function: str) -> Finding:
    (directory / "train.py").write_text(text)
    tape = _steps(kind="tape", chain=at("train.py", line, function))
    recording = make_recording(_phase(EAGER_OPERATIONS, 9.0), _phase(INPUT, 1.0), tape)
    rule = find_rule("GD108")
    assert rule is not None
    (found,) = rule.judge(Facts([recording], Sources(str(directory))))
    return found


def test_eager_training_loop(tmp_path: pathlib.Path) -> None:
    found = _eager(tmp_path, STEP_FUNCTION, 7, "train_step")
    assert found.message == (
        "101 training steps of `train_step` ran eagerly, 0.1 s each: eager operations took 9.0 s of 10 s "
        "(90 %) of the training after its first step"
    )
    assert found.fix is not None
    assert found.fix.title == "Decorate `train_step` with `@tf.function`"
    assert apply_edits(STEP_FUNCTION, found.fix.edits) == STEP_FUNCTION.replace("def ", "@tf.function\ndef ")


def test_a_function_with_the_loop_in_it_is_not_decorated(tmp_path: pathlib.Path) -> None:
    found = _eager(tmp_path, LOOP_IN_FUNCTION, 8, "main")
    assert found.fix is not None
    assert found.fix.title == "Move the step into a `tf.function`"
    after = apply_edits(LOOP_IN_FUNCTION, found.fix.edits)
    assert "    @tf.function\n    def train_step(x):\n" in after
    assert "    for x in data:\n        train_step(x)\n" in after


def test_eager_training_loop_whose_source_is_not_there() -> None:
    tape = _steps(kind="tape", chain=at("train.py", 5, "main"))
    (found,) = _reported(_phase(EAGER_OPERATIONS, 10.0), tape)
    assert found[3] == "Move the step into a `tf.function`"


@pytest.mark.parametrize(
    ("phase", "order"), [(CALLBACKS, "Do it every few hundred steps"), (SAVING, "Save less often")]
)
def test_slow_callbacks_and_checkpoints(phase: str, order: str) -> None:
    assert _reported(_phase(phase, 6.0, line=3), _phase(GRAPH_EXECUTION, 4.0), _steps()) == [
        (
            "GD132",
            3,
            f"{phase} took 6.0 s of 10 s (60 %) of the training after its first step, 60 ms per step",
            order,
        )
    ]


def test_python_that_takes_most_of_a_loop() -> None:
    steps = _steps(kind="calls", chain=at("train.py", 9))
    assert _reported(_phase(OTHER_PYTHON, 8.0, line=4), _phase(GRAPH_EXECUTION, 2.0), steps) == [
        (
            "GD132",
            4,
            "Python at this line took 8.0 s of 10 s (80 %) of the training after its first step, "
            "80 ms per step",
            "Do it every few hundred steps",
        )
    ]


def test_a_loop_over_python_that_makes_the_batches() -> None:
    steps = _steps(kind="calls", chain=at("train.py", 2, "step"))
    (found,) = judged("GD112", _phase(INPUT, 8.0, line=4), _phase(GRAPH_EXECUTION, 2.0), steps)
    assert found.message == f"{WORDS}: the loop over it runs Python for each batch"
    assert found.fix is not None
    assert found.fix.title == "Make batches ahead, in `tf.data`"
    assert found.related == ()


def test_an_eager_switch_says_what_it_cost() -> None:
    switched = Applied(what="compile", object="model", options={"eagerly": "True"}, chain=at("train.py", 8))
    (found,) = judged("GD905", _phase(EAGER_OPERATIONS, 9.0), _phase(INPUT, 1.0), _steps(), switched)
    assert found.message == (
        "every step of this model runs in Python: eager operations took 9.0 s of 10 s (90 %) of the training "
        "after its first step"
    )
    assert found.observed is not None
    assert found.observed.seconds == 9.0


def test_evaluations_that_take_longer_than_the_training() -> None:
    evaluated = _steps(kind="evaluate", count=400, seconds=41.0, first_seconds=1.0)
    assert _reported(_phase(GRAPH_EXECUTION, 10.0), _steps(seconds=12.0), evaluated)[-1] == (
        "GD132",
        9,
        "evaluations took 40 s (400 steps), the training steps 10 s (101 steps)",
        "Evaluate less often",
    )


def test_tiny_steps() -> None:
    steps = _steps(count=9000, median_seconds=0.0012)
    assert _reported(_phase(GRAPH_EXECUTION, 10.0), steps) == [
        (
            "GD133",
            9,
            "9,000 steps of `fit` took 1 ms each (median), one batch per call: Keras' own work between steps "
            "takes about as long",
            "Compile with `steps_per_execution=32`",
        )
    ]
