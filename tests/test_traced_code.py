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
