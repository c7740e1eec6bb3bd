"""`check --why FILE:LINE`."""

import pathlib

import pytest
from tests.cli.commands import graphdoctor

PROGRAM = """\
import tensorflow as tf

@tf.function
def step(x, weight):
    return x * weight

weight = 1.0
for _ in range(100):
    step(tf.ones([2]), weight)
    weight *= 0.9
"""


@pytest.fixture
def folder(tmp_path: pathlib.Path) -> pathlib.Path:
    (tmp_path / "train.py").write_text(PROGRAM)
    return tmp_path


def test_values_of_a_line_in_eager_code(folder: pathlib.Path) -> None:
    done = graphdoctor("check", "--why", "train.py:9", cwd=folder)
    assert done.returncode == 0
    assert (
        done.stdout
        == """\
train.py:9:5  step
    object Function; made in line 3  (in eager code, called by the program)
train.py:9:5  step(tf.ones([2]), weight)
    tensor float32 [2]; made in line 9  (in eager code, called by the program)
train.py:9:10  tf.ones([2])
    tensor float32 [2]; made in line 9  (in eager code, called by the program)
train.py:9:18  [2]
    list of 1  (in eager code, called by the program)
train.py:9:24  weight
    1.0; `weight` as the loop at line 8 finds it  (in eager code, called by the program)
    a Python float, value unknown; another value at each iteration of the loop in line 8  (in eager code, \
called by the program)
"""
    )


def test_values_of_a_line_in_a_graph(folder: pathlib.Path) -> None:
    done = graphdoctor("check", "--why", "train.py:5", cwd=folder)
    assert "tensor float32 [2]; made in line 9  (traced by `step`, called by the program)" in done.stdout


def test_a_line_without_expressions(folder: pathlib.Path) -> None:
    done = graphdoctor("check", "--why", "train.py:2", cwd=folder)
    assert (done.returncode, done.stdout) == (0, "train.py:2: nothing on this line was evaluated\n")


@pytest.mark.parametrize(
    ("place", "reason"),
    [
        ("train.py", "--why takes FILE:LINE, as in train.py:14, not 'train.py'"),
        ("train.py:x", "--why takes FILE:LINE, as in train.py:14, not 'train.py:x'"),
        ("other.py:3", "other.py: no such file"),
    ],
)
def test_a_place_that_is_none(folder: pathlib.Path, place: str, reason: str) -> None:
    done = graphdoctor("check", "--why", place, cwd=folder)
    assert (done.returncode, done.stderr) == (2, f"graphdoctor: {reason}\n")
