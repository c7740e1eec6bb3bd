"""Notebooks as programs."""

import json

from graphdoctor.fixing.notebook_program import cell_at, diff_of_cells, notebook_of, program_of

CELLS = ["%load_ext graphdoctor\nimport tensorflow as tf", "x = 1\ny = 2", "!ls"]
PROGRAM = (
    "display = print\n"
    "# %% cell 1\npass  # graphdoctor-magic: %load_ext graphdoctor\nimport tensorflow as tf\n"
    "# %% cell 2\nx = 1\ny = 2\n"
    "# %% cell 3\npass  # graphdoctor-magic: !ls\n"
)


def test_a_notebook_is_a_program() -> None:
    notebook = {"cells": [{"cell_type": "code", "source": cell} for cell in CELLS]}
    assert program_of("book.ipynb", json.dumps(notebook).encode()) == PROGRAM


def test_lines_have_cells() -> None:
    assert cell_at(PROGRAM, 7) == (2, 2)
    assert cell_at("x = 1\n", 1) == (None, 1)


def test_names() -> None:
    assert notebook_of("a/book.ipynb.py") == "a/book.ipynb"
    assert notebook_of("a/train.py") == "a/train.py"


def test_changes_are_shown_by_cell() -> None:
    changed = PROGRAM.replace("y = 2", "y = 3").replace("import tensorflow as tf", "import numpy")
    assert diff_of_cells("book.ipynb", PROGRAM, changed) == (
        "--- a/book.ipynb cell 1\n+++ b/book.ipynb cell 1\n@@ -1,2 +1,2 @@\n %load_ext graphdoctor\n"
        "-import tensorflow as tf\n+import numpy\n"
        "--- a/book.ipynb cell 2\n+++ b/book.ipynb cell 2\n@@ -1,2 +1,2 @@\n x = 1\n-y = 2\n+y = 3\n"
    )
