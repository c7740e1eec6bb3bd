"""What a run says of the source: of the code that it traced, and of nothing else."""

import dataclasses
import pathlib

import pytest

from graphdoctor.config import Config
from graphdoctor.judging import judge_recordings
from graphdoctor.recording import Selection, Trace
from graphdoctor.recording.format import Definition, Line
from tests.making import at, header, make_recording, make_trace

NOISE = """
import random


def noise(x):
    return x + random.random()


def unused(x):
    return x + random.random()
"""
PLAIN = """
import tensorflow as tf

from noise import noise, unused


@tf.function
def step(x):
    return noise(x)


@tf.function
def other(x):
    return unused(x)


for _ in range(3):
    step(tf.ones([2]))
"""
KERAS = """
import keras

from noise import noise, unused


class Ran(keras.layers.Layer):
    def call(self, x):
        y = noise(x)
        return y * 2.0


class Idle(keras.layers.Layer):
    def call(self, x):
        return unused(x)
"""
STEP = make_trace(function=Definition(name="step", path="main.py", line=7), chain=())
FIT = make_trace(
    function=Definition(name="one_step", path="/site-packages/keras/trainer.py", line=7),
    library=True,
    origin="keras",
    chain=at("main.py", 9, entered="fit"),
    lines=(Line(path="main.py", line=10, operations=3),),
)


def judge(
    folder: pathlib.Path, text: str, trace: Trace, **selection: tuple[str, ...]
) -> list[tuple[str, int]]:
    """The places of what is found, from any directory."""
    (folder / "noise.py").write_text(NOISE)
    (folder / "main.py").write_text(text)
    recording = dataclasses.replace(make_recording(trace), header=header(directory=str(folder)))
    report = judge_recordings((recording,), Config(keras=3), Selection(**selection))
    return [(finding.path, finding.line) for finding in report.findings]


@pytest.mark.parametrize(("text", "trace"), [(PLAIN, STEP), (KERAS, FIT)], ids=["function", "keras"])
def test_the_source_of_what_traced_code_calls_is_checked(
    text: str, trace: Trace, tmp_path: pathlib.Path
) -> None:
    assert judge(tmp_path, text, trace) == [("noise.py", 6)]
    assert judge(tmp_path, text, trace, exclude=("noise.py",)) == []


def test_a_function_around_a_traced_one_was_not_traced_itself(tmp_path: pathlib.Path) -> None:
    text = "import tensorflow as tf\nimport random\n\n\ndef outer():\n    @tf.function\n"
    text += "    def inner(x):\n        return x * 2.0\n\n"
    text += (
        "    @tf.function\n    def idle(x):\n        return x + random.random()\n\n    return inner, idle\n"
    )
    inner = Definition(name="outer.inner", path="main.py", line=6)
    assert (
        judge(
            tmp_path, text, make_trace(function=inner, lines=(Line(path="main.py", line=8, operations=500),))
        )
        == []
    )


LOSS = """
import keras
import numpy as np
import tensorflow as tf


def loss(true, predicted):
    rough = tf.numpy_function(np.abs, [predicted], tf.float32)
    return tf.reduce_mean(tf.square(true - predicted)) + tf.reduce_mean(rough)


model = keras.Sequential([keras.Input([3]), keras.layers.Dense(1)])
model.compile("sgd", loss)
model.fit(np.ones([4, 3]), np.ones([4, 1]))
"""


@pytest.mark.parametrize(("line", "expected"), [(8, [("main.py", 8)]), (9, [])], ids=["ran", "another line"])
def test_a_loss_that_kerass_own_step_calls(
    line: int, expected: list[tuple[str, int]], tmp_path: pathlib.Path
) -> None:
    lines = (Line(path="main.py", line=line, operations=3),)
    trace = dataclasses.replace(FIT, chain=at("main.py", 14, entered="fit"), lines=lines)
    assert judge(tmp_path, LOSS, trace) == expected
