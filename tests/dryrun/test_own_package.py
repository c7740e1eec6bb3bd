"""A project whose package has the name of a known library: its own imports lead into it."""

import pathlib

import pytest

from graphdoctor.config import Config
from graphdoctor.judging import check_paths

STEP = """
import tensorflow as tf
from {package}.reading import read


@tf.function
def step(x):
    return read(tf.abs(x))


step(tf.ones([3]))
"""
READING = "def read(x):\n    return x.numpy()\n"


def told(folder: pathlib.Path, package: str, importer: str) -> list[str]:
    """The rules that speak of one file that takes a function from that package."""
    (folder / package).mkdir()
    (folder / package / "__init__.py").write_text("")
    (folder / package / "reading.py").write_text(READING)
    path = folder / importer
    path.write_text(STEP.format(package=package))
    report = check_paths([str(path), str(folder / package / "reading.py")], Config())
    return [finding.rule for finding in report.findings]


def test_a_script_beside_it_means_the_library(tmp_path: pathlib.Path) -> None:
    assert told(tmp_path, "transformers", "train.py") == []


@pytest.mark.parametrize("package", ["transformers", "tensorflow_probability", "ours"])
def test_a_package_means_itself(tmp_path: pathlib.Path, package: str) -> None:
    assert told(tmp_path, package, f"{package}/step.py") == ["GD801"]
