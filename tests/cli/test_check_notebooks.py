"""`graphdoctor check --diff` on notebooks: fixes are shown cell by cell, and nothing is written."""

import json
import pathlib

from tests.cli.commands import graphdoctor

CODE = {"cell_type": "code", "metadata": {}, "outputs": [], "execution_count": None}
CELLS = [
    {"cell_type": "markdown", "metadata": {}, "source": ["# A step"]},
    {**CODE, "source": ["%matplotlib inline\n", "import tensorflow as tf"]},
    {
        **CODE,
        "source": ["@tf.function\n", "def step(x):\n", "    print('loss', tf.norm(x))\n", "    return x"],
    },
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
        "-    print('loss', tf.norm(x))\n+    tf.print('loss', tf.norm(x))\n     return x\n"
    )
    assert done.stderr == ("0 fixes would be applied in 0 files\n1 fix in 1 notebook cannot be applied\n")
    assert (tmp_path / "train.ipynb").read_text() == before


def test_fix_says_that_it_leaves_notebooks_alone(tmp_path: pathlib.Path) -> None:
    before = write_notebook(tmp_path)
    done = graphdoctor("check", "train.ipynb", "--fix", "--unsafe-fixes", cwd=tmp_path)
    assert "1 fix in 1 notebook cannot be applied: --diff shows what to change\n" in done.stderr
    assert (tmp_path / "train.ipynb").read_text() == before


def write_cells(folder: pathlib.Path, *cells: str) -> None:
    sources = [{**CODE, "source": cell.splitlines(keepends=True)} for cell in cells]
    text = json.dumps({"cells": sources, "metadata": {}, "nbformat": 4, "nbformat_minor": 5})
    (folder / "train.ipynb").write_text(text)


def test_a_cell_with_magics_is_shown_as_it_stands(tmp_path: pathlib.Path) -> None:
    write_cells(
        tmp_path,
        "import tensorflow as tf",
        "%%time\n!ls\nstep = tf.function(abs, experimental_compile=True)\nfiles = !ls\nstep?",
    )
    done = graphdoctor("check", "train.ipynb", "--diff", cwd=tmp_path)
    assert done.stdout == (
        "--- a/train.ipynb cell 2\n+++ b/train.ipynb cell 2\n@@ -1,5 +1,5 @@\n %%time\n !ls\n"
        "-step = tf.function(abs, experimental_compile=True)\n"
        "+step = tf.function(abs, jit_compile=True)\n files = !ls\n step?\n"
    )
    assert done.stderr == ("0 fixes would be applied in 0 files\n1 fix in 1 notebook cannot be applied\n")


def test_what_is_inserted_after_the_last_line_stays_in_its_cell(tmp_path: pathlib.Path) -> None:
    write_cells(
        tmp_path,
        "import tensorflow as tf\nsource = tf.Variable(2.0)\nwith tf.GradientTape() as tape:\n"
        "    squared = source * source",
        "print(tape.gradient(squared + 1.0, source))",
    )
    done = graphdoctor("check", "train.ipynb", "--diff", "--unsafe-fixes", cwd=tmp_path)
    assert done.stdout == (
        "--- a/train.ipynb cell 1\n+++ b/train.ipynb cell 1\n@@ -2,3 +2,4 @@\n source = tf.Variable(2.0)\n"
        " with tf.GradientTape() as tape:\n     squared = source * source\n+    target = squared + 1.0\n"
        "--- a/train.ipynb cell 2\n+++ b/train.ipynb cell 2\n@@ -1 +1 @@\n"
        "-print(tape.gradient(squared + 1.0, source))\n+print(tape.gradient(target, source))\n"
    )


def test_the_line_of_the_cell_is_shown(tmp_path: pathlib.Path) -> None:
    write_notebook(tmp_path)
    done = graphdoctor("check", "train.ipynb", cwd=tmp_path)
    assert done.stdout.splitlines()[:5] == [
        "train.ipynb:cell 2:3:5 WRONG GD201 print-in-graph",
        "  `print` runs only while `step` is traced, not at each call",
        "  medium confidence: nothing in the project shows how it is called",
        "      print('loss', tf.norm(x))",
        "      ^^^^^^^^^^^^^^^^^^^^^^^^^",
    ]
    assert (
        done.stdout.splitlines()[-1] == "1 finding (1 WRONG). 1 graph function looked at."
    )  # fixes are never written into a notebook


def test_a_notebook_that_only_calls_what_a_module_has_is_run(tmp_path: pathlib.Path) -> None:
    module = "import tensorflow as tf\n\n\n@tf.function\ndef total(x):\n    return tf.reduce_sum(x)\n"
    (tmp_path / "library.py").write_text(module)
    lines = ["import tensorflow as tf\n", "import library\n", "for size in range(20):\n"]
    cells = [{**CODE, "source": [*lines, "    library.total(tf.ones([size]))"]}]
    (tmp_path / "train.ipynb").write_text(json.dumps({"cells": cells, "nbformat": 4, "nbformat_minor": 5}))
    done = graphdoctor("check", ".", "--output-format", "json", cwd=tmp_path)
    assert [(one["rule"], one["path"]) for one in json.loads(done.stdout)["findings"]] == [
        ("GD103", "train.ipynb")
    ]
