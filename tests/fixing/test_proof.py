"""What is fixed may change, all else may not: for each family a right edit that is proven, and wrong ones."""

import pathlib

import pytest
from tests.fixing_programs import open_laboratory, prove_by_hand, search_fix
from tests.running import TensorFlowServer

from graphdoctor.fixing.proof import Attempt
from graphdoctor.model.fix_result import FixResult, Verdict

pytestmark = pytest.mark.tensorflow

RETRACED = """
import time

import tensorflow as tf


@tf.function
def scale(x, step):
    return x * tf.cast(step, tf.float32)


start = time.time()
for step in range(6):
    y = scale(tf.ones([2]), step)
    print("step", step, "result", y.numpy())
print(time.time() - start)
"""
OUTSIDE = """
import tensorflow as tf

weights = tf.Variable([1.0, 2.0])
with tf.GradientTape() as tape:
    loss = tf.reduce_sum(weights * tf.constant([3.0, 4.0]))
total = loss + 0.5 * tf.reduce_sum(weights * weights)
print("loss", total.numpy())
print("gradient", tape.gradient(total, weights))
"""
UNWATCHED = """
import tensorflow as tf

x = tf.constant([[1.0, 2.0], [3.0, 4.0]])
with tf.GradientTape() as tape:
    y = tf.reduce_sum(x * x * x)
print(tape.gradient(y, x))
print("y", y.numpy())
"""
PREDICTED = """
import tensorflow as tf

x = tf.constant([[1.0, 2.0, 3.0]])
model = tf.keras.Sequential([tf.keras.layers.Input((3,)), tf.keras.layers.Dense(2, activation="tanh")])
with tf.GradientTape() as tape:
    tape.watch(x)
    y = tf.reduce_sum(tf.convert_to_tensor(model.predict(x)))
print("gradient", tape.gradient(y, x))
"""
UNBUILT = """
import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Dense(2)])
optimizer = tf.keras.optimizers.SGD(0.1)
variables = model.trainable_variables
for _ in range(2):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(tf.ones([4, 3])) - 1.0))
    gradients = tape.gradient(loss, variables)
    optimizer.apply_gradients(zip(gradients, variables))
    print("loss", float(loss))
"""
PRINTED = """
import tensorflow as tf


@tf.function
def step(x):
    loss = tf.reduce_sum(x)
    print("loss", loss)
    return loss


for number in range(3):
    step(tf.fill([2], float(number)))
print("end")
"""
DRAWN = """
import random

import tensorflow as tf


@tf.function
def noisy(x):
    return x + random.random()


for _ in range(8):
    print("value", float(noisy(tf.zeros([]))))
"""
MADE = """
import tensorflow as tf


@tf.function
def total(x):
    sum_ = tf.Variable(1.0)
    sum_.assign_add(x)
    return sum_ + 0.0


for number in range(3):
    print("total", float(total(tf.constant(2.0))))
"""

TRAINED = """
import time

import tensorflow as tf

print("start", 2)
weights, bias = tf.Variable([[1.0], [2.0]]), tf.Variable(0.5)
started = time.time()
for step in range(4):
    with tf.GradientTape() as tape:
        output = tf.matmul(tf.constant([[1.0, 0.5]]), weights) + bias
    loss = tf.reduce_mean(tf.square(output - 1.0))
    gradients = tape.gradient(loss, [weights, bias])
    print("step", step, "loss", float(loss), "after", time.time() - started)
    for variable, gradient in zip([weights, bias], gradients):
        print("gradient", gradient)
        if gradient is not None:
            variable.assign_sub(0.1 * gradient)
"""

IN_TAPE = ("total = loss + 0.5", "    total = loss + 0.5")
TRAINED_IN_TAPE = [("    loss = tf.reduce_mean", "        loss = tf.reduce_mean")]
WATCH = ("    y = tf.reduce_sum(x", "    tape.watch(x)\n    y = tf.reduce_sum(x")
CALLED = ("model.predict(x)", "model(x)")
LATER = [("(loss, variables)", "(loss, model.trainable_variables)"), ("s, variables)", "s, model.variables)")]
TF_PRINT = ("    print(", "    tf.print(")
UNIFORM = ("random.random()", "tf.random.uniform([])")
ONCE = [
    ("@tf.function", "sum_ = tf.Variable(1.0)\n\n\n@tf.function"),
    ("    sum_ = tf.Variable(1.0)", "    sum_.assign(1.0)"),
]
RIGHT = {
    "passed as a tensor": ("GD101", RETRACED, [("[2]), step)", "[2]), tf.constant(step))")]),
    "computed in the tape": ("GD502", OUTSIDE, [IN_TAPE]),
    "watched": ("GD501", UNWATCHED, [WATCH]),
    "called instead of predicted": ("GD503", PREDICTED, [CALLED]),
    "asked for later": ("GD509", UNBUILT, LATER),
    "printed at each call": ("GD201", PRINTED, [TF_PRINT]),
    "drawn at each call": ("GD208", DRAWN, [UNIFORM]),
    "made once": ("GD401", MADE, ONCE),
}
# What is wrong with the edit, and how the refusal begins.
WRONG = {
    "it passes another number": (
        "GD101",
        RETRACED,
        [("[2]), step)", "[2]), tf.constant(step + 1))")],
        "another output: line 1",
    ),
    "it has a dtype that cuts the number": (
        "GD101",
        RETRACED,
        [("[2]), step)", "[2]), tf.cast(tf.cast(step, tf.bool), tf.int32))")],
        "another output: line 3",
    ),
    "it saves no trace": ("GD101", RETRACED, [("[2]), step)", "[2]), int(step))")], "GD101 is still found"),
    "it drops a term of the target": (
        "GD502",
        OUTSIDE,
        [("total = loss + 0.5 * tf.reduce_sum(weights * weights)", "    total = loss + 0.0")],
        "something else before the first gradient: line 1",
    ),
    "it cuts a path to the source": (
        "GD502",
        OUTSIDE,
        [
            ("total = loss + 0.5 * tf", "    total = loss + 0.5 * float(tf"),
            ("weights)\nprint", "weights))\nprint"),
        ],
        "the gradient says",
    ),
    "it stops the gradient of a term": (
        "GD502",
        OUTSIDE,
        [
            ("total = loss + 0.5 * tf", "    total = loss + 0.5 * tf.stop_gradient(tf"),
            ("weights)\nprint", "weights))\nprint"),
        ],
        "the gradient says",
    ),
    "it watches too late": (
        "GD501",
        UNWATCHED,
        [("print(tape", "    tape.watch(x)\nprint(tape")],
        "GD513 is found that was not before",
    ),
    "it changes what is printed before": (
        "GD502",
        TRAINED,
        [*TRAINED_IN_TAPE, ("2)", "3)")],
        "something else before the first gradient: ",
    ),
    "it computes another target": (
        "GD503",
        PREDICTED,
        [("model.predict(x)", "model(2.0 * x)")],
        "the target of the gradient is",
    ),
    "it takes no step": (
        "GD509",
        UNBUILT,
        [LATER[0], ("    optimizer.apply_gradients(zip(gradients, variables))\n", "")],
        "only 0 of 2 variables with a gradient change",
    ),
    "it prints once": (
        "GD201",
        PRINTED,
        [('    print("loss", loss)\n', ""), ('print("end")', 'print("loss", 0.0)\nprint("end")')],
        "another output than its eager run",
    ),
    "it prints another value": (
        "GD201",
        PRINTED,
        [('print("loss", loss)', 'tf.print("loss", 2.0 * loss)')],
        "another output than its eager run",
    ),
    "it draws once": (
        "GD208",
        DRAWN,
        [
            ("@tf.function", "drawn = random.random()\n\n\n@tf.function"),
            ("random.random()\n\n\nfor", "drawn\n\n\nfor"),
        ],
        "`noisy` still returns the same at each call",
    ),
    "it keeps what each call begins with": (
        "GD401",
        MADE,
        [ONCE[0], ("    sum_ = tf.Variable(1.0)\n", "")],
        "another output than its eager run: line 2",
    ),
}


def prove(
    rule: str, text: str, edits: list[tuple[str, str]], folder: pathlib.Path, server: TensorFlowServer
) -> Attempt:
    edited = text
    for old, new in edits:
        assert old in edited
        edited = edited.replace(old, new, 1)
    (folder / "program.py").write_text(text, encoding="utf-8")
    with open_laboratory(folder, "program.py", server) as laboratory:
        return prove_by_hand(laboratory, {"program.py": edited}, lambda finding: finding.rule == rule)


@pytest.mark.parametrize("name", RIGHT)
def test_a_right_edit_is_proven(name: str, tmp_path: pathlib.Path, oracle: TensorFlowServer) -> None:
    attempt = prove(*RIGHT[name], tmp_path, oracle)
    assert attempt.chosen
    assert attempt.reason == ""


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_edit_is_refused(name: str, tmp_path: pathlib.Path, oracle: TensorFlowServer) -> None:
    rule, text, edits, reason = WRONG[name]
    attempt = prove(rule, text, edits, tmp_path, oracle)
    assert attempt.chosen
    assert attempt.reason.startswith(reason)


PROGRESS = """
import time

import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Input((3,)), tf.keras.layers.Dense(1)])
model.compile("sgd", "mse")
started = time.perf_counter()
model.fit(tf.ones([32, 3]), tf.ones([32, 1]), epochs=2, batch_size=8)


@tf.function
def shifted(x, amount):
    return x + tf.cast(amount, tf.float32)


for step in range(5):
    began = time.perf_counter()
    value = shifted(tf.ones([2]), step)
    print(f"step {step}: {value.numpy()} in {(time.perf_counter() - began) * 1e3:.1f} ms")
took = time.perf_counter() - started
print(f"{5 / took:.2f} steps per second, in all {took:.0f}")
"""


@pytest.mark.parametrize("text", [PROGRESS, TRAINED], ids=["progress and times", "gradients and training"])
def test_a_program_that_prints_what_is_fixed_is_fixed(
    text: str, tmp_path: pathlib.Path, oracle: TensorFlowServer
) -> None:
    assert fix(text, tmp_path, oracle).verdict is Verdict.FIXED


UNSTEADY = """
import os

import tensorflow as tf

last = tf.Variable(0.0)


@tf.function
def keep(x, step):
    last.assign(x)
    return 2.0 * x


for step in range(12):
    drawn = int.from_bytes(os.urandom(4), "big") / 2**32
    print("value", float(keep(tf.constant(drawn), step)))
"""


def test_a_program_that_differs_from_itself_is_consistent_and_not_proven(
    tmp_path: pathlib.Path, oracle: TensorFlowServer
) -> None:
    result = fix(UNSTEADY, tmp_path, oracle)
    assert (result.verdict, result.repeats, result.is_proven) == (Verdict.CONSISTENT, False, False)
    assert [one.rule for one in result.kept] == ["GD101"]
    assert result.diff


@pytest.mark.parametrize(
    ("old", "new"),
    [("2.0 * x", "9.0 * x"), ("2.0 * x", "x / 0.0"), ("2.0 * x", "tf.stack([x, x])")],
    ids=["another average", "not finite", "another shape"],
)
def test_a_program_that_differs_from_itself_is_compared_where_it_can_be(
    old: str, new: str, tmp_path: pathlib.Path, oracle: TensorFlowServer
) -> None:
    edits = [
        ("(drawn), step)", "(drawn), tf.constant(step))"),
        (old, new),
        ("float(", "float(tf.reduce_max("),
    ]
    attempt = prove("GD101", UNSTEADY, [*edits, ("step))))", "step)))))")], tmp_path, oracle)
    assert attempt.reason.startswith("another ")


def fix(text: str, folder: pathlib.Path, server: TensorFlowServer) -> FixResult:
    (folder / "program.py").write_text(text, encoding="utf-8")
    with open_laboratory(folder, "program.py", server) as laboratory:
        return search_fix(laboratory).result()
