"""Under pytest: which test traced, and no counting of one test's objects against another."""

import pathlib

import pytest
from test_pytest_plugin import run_pytest, section

MODEL = """import tensorflow as tf


def smooth(x):
    return tf.sin(x)


@tf.function
def scale(x, step):
    return x * step
"""
SEPARATE = """import pytest
import tensorflow as tf

from model import scale, smooth


@pytest.mark.parametrize("number", range(6))
def test_each_makes_its_own(number):
    tf.function(smooth)(tf.ones([3]))


@pytest.mark.parametrize("number", range(6))
def test_each_asks_for_another_value(number):
    scale(tf.ones([3]), number)
"""
WITHIN = """import tensorflow as tf

from model import scale


def test_loops():
    for step in range(10, 16):
        scale(tf.ones([3]), step)
"""


@pytest.mark.tensorflow
@pytest.mark.long
def test_one_test_is_not_judged_by_what_others_did(tmp_path: pathlib.Path) -> None:
    (tmp_path / "model.py").write_text(MODEL)
    (tmp_path / "test_separate.py").write_text(SEPARATE)
    said = section(run_pytest(tmp_path, "--graphdoctor").stdout)
    assert "No findings." in said
    assert "5 traces more" in said
    assert "another test needs a graph of its own" in said


@pytest.mark.tensorflow
@pytest.mark.long
def test_it_says_which_test_traced(tmp_path: pathlib.Path) -> None:
    (tmp_path / "model.py").write_text(MODEL)
    (tmp_path / "test_within.py").write_text(WITHIN)
    (tmp_path / "test_separate.py").write_text(SEPARATE)
    said = " ".join(section(run_pytest(tmp_path, "--graphdoctor").stdout).split())
    assert "GD101 python-number-argument" in said
    assert "`step` is a Python number (in `test_within.py::test_loops`)" in said
