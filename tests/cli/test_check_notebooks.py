"""`graphdoctor check --diff` on notebooks: fixes are shown cell by cell, and nothing is written."""

import json
import pathlib

from commands import graphdoctor

CODE = {"cell_type": "code", "metadata": {}, "outputs": [], "execution_count": None}
CELLS = [
    {"cell_type": "markdown", "metadata": {}, "source": ["# A step"]},
    {**CODE, "source": ["%matplotlib inline\n", "import tensorflow as tf"]},
    {**CODE, "source": ["@tf.function\n", "def step(x):\n", "    print('loss', x)\n", "    return x"]},
]


def write_notebook(folder: pathlib.Path) -> str:
    text = json.dumps({"cells": CELLS, "metadata": {}, "nbformat": 4, "nbformat_minor": 5})
    (folder / "train.ipynb").write_text(text)
    return text


def test_the_fix_is_shown_by_cell(tmp_path: pathlib.Path) -> None:
    before = write_notebook(tmp_path)
    done = graphdoctor("check", "train.ipynb", "--diff", "--unsafe-fixes", cwd=tmp_path)
    assert done.returncode == 1
    assert done.stdout == (
        "--- a/train.ipynb cell 2\n+++ b/train.ipynb cell 2\n@@ -1,4 +1,4 @@\n @tf.function\n def step(x):\n"
        "-    print('loss', x)\n+    tf.print('loss', x)\n     return x\n"
    )
    assert done.stderr == ("0 fixes would be applied in 0 files\n1 fix in 1 notebook cannot be applied\n")
    assert (tmp_path / "train.ipynb").read_text() == before


def test_fix_says_that_it_leaves_notebooks_alone(tmp_path: pathlib.Path) -> None:
    before = write_notebook(tmp_path)
    done = graphdoctor("check", "train.ipynb", "--fix", "--unsafe-fixes", cwd=tmp_path)
    assert "1 fix in 1 notebook cannot be applied: --diff shows what to change\n" in done.stderr
    assert (tmp_path / "train.ipynb").read_text() == before
