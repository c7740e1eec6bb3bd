"""What a notebook has stored: a cell that ran to its end does not raise."""

import json
import pathlib
from typing import Any

import pytest

from graphdoctor.config import Config
from graphdoctor.errors import SourceError
from graphdoctor.judging import check_paths
from graphdoctor.source.notebooks import cells_that_ran

MADE = "import tensorflow as tf\n@tf.function\ndef norm(x):\n    return tf.reduce_sum(x).numpy()\n"
SILENT = "import tensorflow as tf\n@tf.function\ndef norm(x):\n    print(tf.reduce_sum(x))\n    return x\n"
CALL = "norm(tf.ones([2]))"
SHOWN = {"output_type": "stream", "name": "stdout", "text": ["0.5"]}
RAISED = {"output_type": "error", "ename": "AttributeError", "evalue": "numpy", "traceback": []}


def cell(source: str, count: int | None = None, *outputs: dict[str, Any]) -> dict[str, Any]:
    made = {"cell_type": "code", "source": [source], "metadata": {}, "outputs": list(outputs)}
    return {**made, "execution_count": count}


def severities(folder: pathlib.Path, *cells: dict[str, Any]) -> list[str]:
    notebook = {"cells": list(cells), "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    (folder / "train.ipynb").write_text(json.dumps(notebook))
    return [
        f.severity.value if f.is_shown else f.confidence.level.value
        for f in check_paths([str(folder)], Config()).findings
    ]


def test_a_cell_that_ran_does_not_raise(tmp_path: pathlib.Path) -> None:
    assert severities(tmp_path, cell(MADE, 1), cell(CALL, 2, SHOWN)) == ["LOW"]


@pytest.mark.parametrize(
    "last",
    [cell(CALL), cell(CALL, 2, RAISED), cell(CALL, 2, SHOWN, RAISED)],
    ids=["not run", "raised", "in the end"],
)
def test_what_did_not_run_to_its_end_may_raise(tmp_path: pathlib.Path, last: dict[str, Any]) -> None:
    assert severities(tmp_path, cell(MADE, 1), last) == ["ERROR"]


STOPPED = {"output_type": "error", "ename": "KeyboardInterrupt", "evalue": "", "traceback": []}


@pytest.mark.parametrize(
    "last",
    [cell(CALL, None, SHOWN), cell(CALL, 2, SHOWN, STOPPED)],
    ids=["numbers were left out", "its user stopped it"],
)
def test_what_shows_something_has_run(tmp_path: pathlib.Path, last: dict[str, Any]) -> None:
    assert severities(tmp_path, cell(MADE, 1), last) == ["LOW"]


def test_what_was_stopped_before_it_showed_something_may_raise(tmp_path: pathlib.Path) -> None:
    assert severities(tmp_path, cell(MADE, 1), cell(CALL, 2, STOPPED)) == ["ERROR"]


def test_what_a_condition_stands_before_did_not_raise_either(tmp_path: pathlib.Path) -> None:
    asked = "import os\nif os.path.exists('a'):\n    " + CALL
    assert severities(tmp_path, cell(MADE, 1), cell(asked)) == ["ERROR"]
    assert severities(tmp_path, cell(MADE, 1), cell(asked, 2, SHOWN)) == ["LOW"]


def test_what_ran_in_a_notebook_does_not_raise_in_its_module(tmp_path: pathlib.Path) -> None:
    program = f"\ndef main():\n    {CALL}\nif __name__ == '__main__':\n    main()\n"
    (tmp_path / "steps.py").write_text(MADE + program)
    assert severities(tmp_path, cell("import tensorflow, steps", 1), cell("steps.main()")) == ["ERROR"]
    assert severities(tmp_path, cell("import tensorflow, steps", 1), cell("steps.main()", 2)) == ["LOW"]


def test_that_the_function_was_made_says_nothing_of_its_call(tmp_path: pathlib.Path) -> None:
    assert severities(tmp_path, cell(MADE, 7, SHOWN), cell(CALL)) == ["ERROR"]


def test_what_is_silently_wrong_runs_all_the_same(tmp_path: pathlib.Path) -> None:
    assert severities(tmp_path, cell(SILENT, 1), cell(CALL, 2, SHOWN)) == ["WRONG"]


@pytest.mark.parametrize("outputs", [None, 3, ["text"], {"a": 1}])
def test_outputs_of_another_form_show_nothing(outputs: object) -> None:
    notebook = {"cells": [{**cell("1", 1), "outputs": outputs}]}
    assert cells_that_ran("a.ipynb", json.dumps(notebook).encode()) == frozenset()


def test_what_is_no_notebook_is_said() -> None:
    with pytest.raises(SourceError, match=r"a\.ipynb is not a notebook"):
        cells_that_ran("a.ipynb", b'{"cells": [{"cell_type": "code", "source": 3}]}')
