"""The newest TensorFlow that code may be for, by what its project and its notebooks say."""

import json
from pathlib import Path
from typing import Any

import pytest

from graphdoctor.source.tensorflow_version import Version, named_version, newest_tensorflow, pinned_version


@pytest.mark.parametrize(
    ("text", "version"),
    [
        ("tensorflow>=2", None),
        ("tensorflow~=2.4", None),
        ("tensorflow==2.*", None),
        ("tensorflow-probability==0.7", None),
        ("tensorflow_datasets==1.2", None),
        ("numpy==1.19", None),
        ("tensorflow==2.4.1", (2, 4)),
        ("tensorflow~=2.4.1", (2, 4)),
        ("tensorflow>=2.2,<2.5", (2, 4)),
        ("tensorflow==1.15", (1, 15)),
        ("  - tensorflow-gpu=1.13.1", (1, 13)),
        ("tensorflow-gpu>=1.4,<2", (1, 99)),
        ("tensorflow<2.0", (1, 99)),
        ("install_requires=['tensorflow==2.1.0', 'tensorflow-gpu==2.3.0']", (2, 3)),
    ],
)
def test_what_requirements_allow(text: str, version: Version | None) -> None:
    assert pinned_version(text) == version


@pytest.mark.parametrize(
    ("text", "version"),
    [
        ("TensorFlow 2", None),
        ("TensorFlow 2.x", None),
        ("TensorFlow >= 2.2", None),
        ("TensorFlow 2.2+", None),
        ("tensorflow 1.4 or later", None),
        ("tensorflow 1.4, or newer", None),
        ("for TensorFlow 1.15, or for TensorFlow 2.x", None),
        ("TensorFlow (2.3.0)", (2, 3)),
        ("TF1.15", (1, 15)),
        ("TensorFlow version 1.13.1", (1, 13)),
        ("tensorflow-gpu 1.8 and keras 2.2.4", (1, 8)),
        ("main.py: TensorFlow 1.15, main_tf2.py: TensorFlow 2.1", (2, 1)),
    ],
)
def test_what_a_readme_names(text: str, version: Version | None) -> None:
    assert named_version(text) == version


@pytest.mark.parametrize(
    ("name", "text", "version"),
    [
        ("README.md", "Needs Python 3.6+", None),
        ("README.md", "Needs Python >= 3.6", None),
        ("README.md", "Needs Python 3.7 or higher", None),
        ("setup.py", "python_requires='>=3.6'", None),
        ("README.md", "Needs Python 3.6.", (2, 6)),
        ("environment.yml", "  - python=3.7.4", (2, 10)),
        ("runtime.txt", "python-3.6.8", (2, 6)),
        ("Dockerfile", "FROM python:3.8-slim", (2, 13)),
        ("Dockerfile", "FROM tensorflow/tensorflow:1.15.2-gpu-py3", (1, 15)),
        ("docker/Dockerfile", "RUN pip install tensorflow==2.4", (2, 4)),
        ("conda_env.yaml", "  - tensorflow=2.1", (2, 1)),
        ("Pipfile", 'tensorflow = "==2.3.0"', (2, 3)),
        ("Pipfile.lock", '"tensorflow": {"hashes": [], "index": "pypi", "version": "==2.4.1"}', (2, 4)),
        ("poetry.lock", '[[package]]\nname = "tensorflow"\nversion = "2.5.0"\n', (2, 5)),
    ],
)
def test_what_the_files_of_a_project_say(
    tmp_path: Path, name: str, text: str, version: Version | None
) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "src").mkdir()
    (tmp_path / name).parent.mkdir(exist_ok=True)
    (tmp_path / name).write_text(text)
    assert newest_tensorflow(str(tmp_path / "src" / "train.py")) == version


def _cell(source: str, *shown: str) -> dict[str, Any]:
    outputs = [{"output_type": "stream", "name": "stdout", "text": [text]} for text in shown]
    return {"cell_type": "code", "source": [source], "outputs": outputs}


@pytest.mark.parametrize(
    ("cell", "python", "version"),
    [
        (_cell("import tensorflow as tf"), "3.10.12", None),
        (_cell("print(np.__version__)", "numpy 1.19.5"), "", None),
        (_cell("!pip install tensorflow"), "", None),
        (_cell("import tensorflow as tf"), "3.6.9", (2, 6)),
        (_cell("%tensorflow_version 1.x"), "3.10.12", (1, 99)),
        (_cell("import tensorflow as tf", "TensorFlow 1.x selected."), "", (1, 99)),
        (_cell("!pip install -q tensorflow-gpu==2.0.0"), "3.10.12", (2, 0)),
        (_cell("print(tf.__version__)", "2.3.0\n"), "3.10.12", (2, 3)),
        (_cell("print('TF', tf.__version__, np.__version__)", "TF 2.4.1 1.19.5"), "", (2, 4)),
        (_cell("!pip install x", "Successfully installed a-1.0 tensorflow-2.5.0 b-2.0"), "", (2, 5)),
        (_cell("f()", "/usr/local/lib/python3.6/dist-packages/keras/x.py: UserWarning"), "", (2, 6)),
    ],
)
def test_what_a_notebook_says_of_itself(
    tmp_path: Path, cell: dict[str, Any], python: str, version: Version | None
) -> None:
    (tmp_path / ".git").mkdir()
    metadata = {"language_info": {"name": "python", "version": python}}
    (tmp_path / "train.ipynb").write_text(json.dumps({"cells": [cell], "metadata": metadata}))
    assert newest_tensorflow(str(tmp_path / "train.ipynb")) == version
