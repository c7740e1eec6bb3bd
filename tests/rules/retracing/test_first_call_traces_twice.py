"""GD131: a function that makes variables in its first call, by what the second trace took."""
# ruff: noqa: E501

from dataclasses import replace

import pytest
from tests.making import at, make_recording, make_trace, tensor, value
from tests.running import TensorFlowServer

from graphdoctor.model import Severity
from graphdoctor.recording.format import FIRST_VARIABLES, Definition, Made, Trace
from graphdoctor.recording.history import histories
from graphdoctor.recording.labels import VARIABLE_CREATION
from graphdoctor.rules.facts import Facts
from graphdoctor.rules.registry import find_rule


def twice(seconds: float) -> tuple[Trace, Trace]:
    """A first call that traced twice, and what the second trace took."""
    again = {"passes": "NO_VARIABLE_CREATION", "seconds": seconds, "own_seconds": seconds}
    return make_trace(tensor("x", 2)), make_trace(tensor("x", 2), **again)


def made(trace: Trace, line: int, count: int, owner: str = "") -> Made:
    options = {"variables": str(count)}
    return Made(
        what=FIRST_VARIABLES, trace=trace.number, type=owner, chain=at("train.py", line), options=options
    )


def judged(*events: Trace | Made, seconds: float) -> list:
    rule = find_rule("GD131")
    assert rule is not None
    return list(rule.judge(Facts([make_recording(*events, seconds=seconds)])))


def test_a_short_trace_is_no_matter() -> None:
    assert judged(*twice(0.9), seconds=2.0) == []


def test_a_small_part_of_a_long_run_is_no_matter() -> None:
    assert judged(*twice(2.0), seconds=60.0) == []


def test_a_retrace_for_another_reason_is_none() -> None:
    assert judged(make_trace(value("n", 1)), make_trace(value("n", 2), seconds=5.0), seconds=10.0) == []


def test_a_function_that_makes_nothing_is_traced_once() -> None:
    assert judged(make_trace(tensor("x", 2), seconds=9.0), seconds=10.0) == []


@pytest.mark.parametrize(
    ("owners", "title"),
    [
        ({"optimizer": 12, "layer": 6}, "Build model and optimizer first"),
        ({"optimizer": 12}, "Call `optimizer.build(…)` first"),
        ({"layer": 6}, "Build the model first"),
        ({"": 1}, "Create the variables first"),
        ({}, "Create the variables first"),
    ],
)
def test_the_remedy_is_that_for_whose_variables_they_are(owners: dict[str, int], title: str) -> None:
    first, again = twice(1.5)
    variables = [made(first, 20 + index, count, owner) for index, (owner, count) in enumerate(owners.items())]
    (found,) = judged(*variables, first, again, seconds=10.0)
    assert found.fix.title == title
    assert found.line == (20 if owners else 3)


def test_it_is_reported_with_what_it_cost_and_where() -> None:
    first, again = twice(5.5)
    events = (made(first, 8, 6, "layer"), made(first, 9, 14, "optimizer"), first, again)
    (found,) = judged(*events, seconds=10.0)
    assert found.message == (
        "the first call of `step` traced it twice (5.5 s more) because it creates 14 variables of the optimizer"
    )
    assert (found.line, found.severity, found.observed.seconds) == (9, Severity.SLOW, 5.5)
    assert [(other.line, other.message) for other in found.related] == [(8, "6 more are created here")]


def test_of_two_functions_around_the_same_variables_the_outer_one_is_reported() -> None:
    outer, outer_again = twice(3.0)
    inner = Definition(name="inner", path="train.py", line=20)
    first, again = (replace(one, function=inner, object=2, trace=outer.number) for one in twice(1.0))
    (found,) = judged(made(first, 8, 6, "layer"), first, again, outer, outer_again, seconds=10.0)
    assert found.message == (
        "the first call of `step` traced it twice (3.0 s more) because it creates 6 variables of the layer"
    )


def test_a_smaller_share_is_a_note() -> None:
    (found,) = judged(*twice(1.5), seconds=10.0)
    assert found.severity is Severity.NOTE


HEAD = """\
import tensorflow as tf

dense = tf.keras.layers.Dense(2)
optimizer = tf.keras.optimizers.SGD(momentum=0.9)
"""
STEP = """
@tf.function
def step(x):
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(dense(x))
    weights = dense.trainable_variables
    optimizer.apply_gradients(zip(tape.gradient(loss, weights), weights))


for _ in range(2):
    step(tf.ones([1, 2]))
"""
PROGRAMS = {
    "all is built before": (
        HEAD + "dense.build([1, 2])\noptimizer.build(dense.trainable_variables)\n" + STEP,
        set(),
    ),
    "`fit` of a model with an input, by an optimizer without slots": (
        "import numpy as np\nimport tensorflow as tf\n\nk = tf.keras\n"
        "model = k.Sequential([k.Input([2]), k.layers.Dense(1)])\nmodel.compile('sgd', 'mse')\n"
        "model.fit(np.ones((4, 2)), np.ones((4, 1)), verbose=0)\n",
        set(),
    ),
    "a variable made before": (
        "import tensorflow as tf\n\nw = tf.Variable(1.0)\n\n\n@tf.function\ndef f(x):\n    return x * w\n\n\n"
        "f(tf.ones([2]))\n",
        set(),
    ),
    "`fit` of a model without an input": (
        "import numpy as np\nimport tensorflow as tf\n\nmodel = tf.keras.Sequential([tf.keras.layers.Dense(1)])\n"
        "model.compile('adam', 'mse')\nmodel.fit(np.ones((4, 2)), np.ones((4, 1)), verbose=0)\n",
        {("layer", 2, 6), ("optimizer", 4, 6)},
    ),
    "a layer and an optimizer": (HEAD + STEP, {("layer", 2, 9), ("optimizer", 2, 11)}),
    "an optimizer only": (HEAD + "dense.build([1, 2])\n" + STEP, {("optimizer", 2, 12)}),
    "a variable of one's own, in a helper": (
        "import tensorflow as tf\n\nkept = []\n\n\ndef weight():\n    if not kept:\n"
        "        kept.append(tf.Variable(1.0))\n    return kept[0]\n\n\n@tf.function\ndef f(x):\n"
        "    return x * weight()\n\n\nf(tf.ones([2]))\n",
        {("", 1, 8)},
    ),
}  # fmt: skip


@pytest.mark.tensorflow
@pytest.mark.parametrize("name", PROGRAMS)
def test_a_run_tells_which_line_makes_whose_variables(name: str, tensorflow: TensorFlowServer) -> None:
    program, expected = PROGRAMS[name]
    ran = tensorflow.run(program)
    assert ran.error is None, ran.output
    events = [event for event in ran.recording.of(Made) if event.what == FIRST_VARIABLES]
    reported = {(event.type, int(event.options["variables"]), event.chain[-1].place.line) for event in events}
    assert reported == expected
    labels = {retrace.label for history in histories([ran.recording]) for retrace in history.retraces}
    assert (VARIABLE_CREATION in labels) is bool(expected)
