"""What only Keras 3 refuses, in projects that do not say which Keras they are for."""

from inspect import cleandoc
from pathlib import Path

import pytest

from graphdoctor.config import Config
from graphdoctor.judging import check_paths

MODEL = """
    import keras
    import tensorflow as tf
    def build(size):
        x = keras.Input([size])
        y = keras.layers.Dense(4)(x)
        return keras.Model(x, tf.concat([y, y], axis=-1))
    model = build(3)
"""


def severities(folder: Path, monkeypatch: pytest.MonkeyPatch, **files: str) -> set[str]:
    """How severe it is that placeholders are given to TensorFlow, with Keras 3 installed."""
    monkeypatch.setattr("graphdoctor.source.keras_generation.installed_generation", lambda folder: 3)
    (folder / ".git").mkdir()
    for name, text in files.items():
        (folder / name.replace("_txt", ".txt").replace("_py", ".py")).write_text(cleandoc(text) + "\n")
    monkeypatch.chdir(folder)
    return {each.severity.value for each in check_paths(["."], Config(select=("GD406",))).findings}


def test_one_file_that_keras_3_refuses_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert severities(tmp_path, monkeypatch, one_py=MODEL, two_py="print(1)") == {"ERROR"}


def test_a_project_that_requires_keras_3(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = {"one_py": MODEL, "two_py": MODEL, "requirements_txt": "tensorflow==2.18"}
    assert severities(tmp_path, monkeypatch, **files) == {"ERROR"}


def test_a_project_whose_files_it_refuses_one_after_the_other_is_older(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert severities(tmp_path, monkeypatch, one_py=MODEL, two_py=MODEL) == {"NOTE"}
