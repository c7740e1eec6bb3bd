"""The variants of a training: where its loop and its pipeline are found, and what is written there."""

import ast

import pytest

from graphdoctor.model import apply_edits
from graphdoctor.source.module import Module, parse_module
from graphdoctor.tuning.training_loops import Training, marked, training_of
from graphdoctor.tuning.training_variants import (
    Variant,
    fit_variants,
    loop_pipeline,
    precision_variant,
    step_variants,
)

LOOP = """\
import tensorflow as tf

data = tf.data.Dataset.range(8).map(load).batch(2)


def step(x):
    with tf.GradientTape() as tape:
        loss = x * x
    return tape.gradient(loss, x)


for epoch in range(3):
    for index, x in enumerate(data):
        step(x)
"""
PARALLEL = "num_parallel_calls=tf.data.AUTOTUNE"
FIT = """\
import keras
import tensorflow as tf


def batches():
    data = tf.data.Dataset.range(8).shuffle(8)
    return data.map(load).batch(2)


model.compile("sgd", loss="mse")
model.fit(batches(), epochs=2)
"""


def module_of(text: str) -> Module:
    return parse_module("train.py", text)


def training(text: str, *frames: tuple[int, str]) -> Training | None:
    module = module_of(text)
    return training_of([(module, line, name) for line, name in frames])


def written(text: str, variants: list[Variant]) -> dict[str, str]:
    """The lines that each variant changes or adds."""
    found = {}
    for variant in variants:
        after = apply_edits(text, variant.edits)
        ast.parse(after)
        found[variant.name] = "\n".join(line for line in after.splitlines() if line not in text.splitlines())
    return found


def test_the_loop_is_the_innermost_that_calls_the_step() -> None:
    found = training(LOOP, (14, "<module>"), (9, "step"))
    assert found is not None
    assert (found.loop.lineno, found.step and found.step.name) == (13, "step")


IN_THE_LOOP = """\
import tensorflow as tf


def train(model, data, optimizer):
    total = 0.0
    for epoch in range(3):
        for x, y in data:
            # one step
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean((model(x) - y) ** 2)  # mean

            gradients = tape.gradient(loss, model.trainable_variables)
            gradients, norm = tf.clip_by_global_norm(gradients, 1.0)
            optimizer.apply_gradients(zip(gradients, model.trainable_variables))
            total += loss
            print("norm", norm)
        print(epoch, total)
"""
OWN_FUNCTION = """\
import tensorflow as tf


def train(model, data, optimizer):
    total = 0.0

    @tf.function
    def train_step(x, y):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((model(x) - y) ** 2)  # mean

        gradients = tape.gradient(loss, model.trainable_variables)
        gradients, norm = tf.clip_by_global_norm(gradients, 1.0)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))
        return loss, norm

    for epoch in range(3):
        before()
        for x, y in data:
            # one step
            mark()
            loss, norm = train_step(x, y)
            total += loss
            print("norm", norm)
        print(epoch, total)
"""


def test_a_step_in_the_loop_becomes_a_function_before_the_loops() -> None:
    found = training(IN_THE_LOOP, (13, "train"))
    assert found is not None
    assert found.step is None
    plain, compiled = step_variants(found)
    marks = marked(found, "mark", "before") or ()
    assert apply_edits(IN_THE_LOOP, (*plain.edits, *marks)) == OWN_FUNCTION
    as_xla = OWN_FUNCTION.replace("@tf.function", "@tf.function(jit_compile=True)")
    assert apply_edits(IN_THE_LOOP, (*compiled.edits, *marks)) == as_xla


def test_what_an_iteration_carries_on_goes_in_and_comes_out() -> None:
    text = """\
import tensorflow as tf
w, speed = tf.Variable(1.0), tf.constant(0.0)
for step in range(9):
    with tf.GradientTape() as tape:
        loss = w * w
    speed = 0.9 * speed + tape.gradient(loss, w)
    w.assign_sub(speed)
"""
    found = training(text, (6, "<module>"))
    assert found is not None
    after = apply_edits(text, next(step_variants(found)).edits)
    assert "def train_step(speed):\n" in after
    assert "    return speed\n" in after
    assert "    speed = train_step(speed)\n" in after


@pytest.mark.parametrize(
    "body",
    [
        "with tf.GradientTape() as tape:\n        loss = x\n    print(loss)\n    tape.gradient(loss, x)",
        "with tf.GradientTape() as tape:\n        loss = float(x)\n    tape.gradient(loss, x)",
        "with tf.GradientTape() as tape:\n        losses.append(x)\n    tape.gradient(losses, x)",
        "with tf.GradientTape() as tape:\n        self.loss = x\n    tape.gradient(self.loss, x)",
        "with tf.GradientTape() as tape:\n        if x is None:\n            break\n    tape.gradient(x, x)",
        "x = tf.gradients(x, x)",
    ],
)
def test_what_a_graph_cannot_hold_stays_in_the_loop(body: str) -> None:
    found = training(f"import tensorflow as tf\nfor x in data:\n    {body}\n", (3, "<module>"))
    assert found is not None
    assert [variant.edits for variant in step_variants(found)] == [(), ()]
    assert all("cannot be made a function of its own" in variant.reason for variant in step_variants(found))


def test_without_a_loop_nothing_is_found() -> None:
    assert training("def step(x):\n    pass\nstep(1)\n", (3, "<module>"), (2, "step")) is None


def test_a_loop_in_a_function_that_the_step_only_defines_is_not_around_it() -> None:
    text = "for x in y:\n    def inner():\n        step()\n"
    assert training(text, (3, "inner")) is None


@pytest.mark.parametrize(
    ("loop", "expected"),
    [
        ("for x in y:\n    step(x)\n", "begin()\nfor x in y:\n    mark()\n    step(x)\n"),
        ("for x in y: step(x)\n", "for x in y: mark(); step(x)\n"),
        (
            "if 1:\n\twhile 1:\n\t\tif 2:\n\t\t\tstep(x)\n",
            "if 1:\n\tbegin()\n\twhile 1:\n\t\tmark()\n\t\tif 2:\n\t\t\tstep(x)\n",
        ),
    ],
)
def test_marks_stand_at_the_begin_of_each_iteration(loop: str, expected: str) -> None:
    line = next(number for number, text in enumerate(loop.splitlines(), 1) if "step" in text)
    found = training(loop, (line, "<module>"))
    assert found is not None
    assert apply_edits(loop, marked(found, "mark", "begin") or ()) == expected


def test_the_step_of_a_loop_and_its_pipeline() -> None:
    found = training(LOOP, (14, "<module>"), (9, "step"))
    assert found is not None
    assert written(LOOP, [*step_variants(found), *loop_pipeline(found)]) == {
        "step as tf.function": "@tf.function",
        "step as tf.function, jit_compile": "@tf.function(jit_compile=True)",
        "prefetch": "data = tf.data.Dataset.range(8).map(load).batch(2).prefetch(tf.data.AUTOTUNE)",
        "parallel calls": f"data = tf.data.Dataset.range(8).map(load, {PARALLEL}).batch(2)",
        "cache": "data = tf.data.Dataset.range(8).map(load).cache().batch(2)",
    }


def test_all_variants_of_a_pipeline_can_be_written_at_once() -> None:
    found = training(LOOP, (14, "<module>"), (9, "step"))
    assert found is not None
    edits = tuple(edit for variant in loop_pipeline(found) for edit in variant.edits)
    assert ".map(load, num_parallel_calls=tf.data.AUTOTUNE).cache().batch(2).prefetch(tf.data.AUTOTUNE)" in (
        apply_edits(LOOP, edits)
    )


def test_a_graph_function_is_only_compiled() -> None:
    text = LOOP.replace("def step", "@tf.function\ndef step")
    found = training(text, (15, "<module>"), (6, "step"))
    assert found is not None
    assert written(text, list(step_variants(found))) == {
        "step with jit_compile": "@tf.function(jit_compile=True)"
    }


def test_other_decorators_are_left_alone() -> None:
    text = LOOP.replace("def step", "@timed\ndef step")
    found = training(text, (15, "<module>"), (6, "step"))
    assert found is not None
    assert [variant.reason for variant in step_variants(found)] == ["`step` has other decorators"] * 2


def test_what_is_there_is_not_written_again() -> None:
    text = LOOP.replace(
        ".map(load).batch(2)", ".map(load, num_parallel_calls=4).cache().batch(2).prefetch(1)"
    )
    found = training(text, (14, "<module>"), (9, "step"))
    assert found is not None
    assert list(loop_pipeline(found)) == []


def test_data_that_is_no_dataset_has_no_pipeline() -> None:
    found = training(LOOP.replace("tf.data.Dataset.range(8).map(load).batch(2)", "[1, 2]"), (14, "<module>"))
    assert found is not None
    assert list(loop_pipeline(found)) == []


def test_fit_its_pipeline_from_a_function_and_compile() -> None:
    assert written(FIT, list(fit_variants(module_of(FIT), 11))) == {
        "prefetch": "    return data.map(load).batch(2).prefetch(tf.data.AUTOTUNE)",
        "parallel calls": "    return data.map(load, num_parallel_calls=tf.data.AUTOTUNE).batch(2)",
        "cache": "    return data.map(load).cache().batch(2)",
        "steps_per_execution=8": 'model.compile("sgd", loss="mse", steps_per_execution=8)',
        "jit_compile=True": 'model.compile("sgd", loss="mse", jit_compile=True)',
        "jit_compile=False": 'model.compile("sgd", loss="mse", jit_compile=False)',
    }


def test_an_eager_fit_is_first_made_a_graph() -> None:
    text = FIT.replace('"sgd"', '"sgd", run_eagerly=True')
    assert "run_eagerly=False" in [variant.name for variant in fit_variants(module_of(text), 11)]


def test_mixed_precision_stands_behind_the_import() -> None:
    variant = precision_variant(module_of(FIT), "mixed_bfloat16")
    assert variant is not None
    assert apply_edits(FIT, variant.edits).splitlines()[:3] == [
        "import keras",
        "import tensorflow as tf",
        'tf.keras.mixed_precision.set_global_policy("mixed_bfloat16")',
    ]
