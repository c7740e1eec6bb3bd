"""The magics in a real Jupyter kernel."""

import pathlib
import re
import warnings
from typing import Any

import pytest

from graphdoctor.integrations.cells import as_python

CELLS = [
    "%load_ext graphdoctor\nimport tensorflow as tf",
    "@tf.function\ndef scale(x, step):\n    print('scaling')\n    return x * tf.cast(step, tf.float32)",
    "%%graphdoctor run\nfor step in range(5):\n    scale(tf.ones([3]), step)\nmade = 7",
    "%graphdoctor check",
    "%graphdoctor explain scale(tf.ones([3]), step=2)",
    "%%graphdoctor explain first(tf.ones([3]))\n"
    "def first(x):\n    if x[0] > 0.0:\n        x = -x\n    return x",
    "print(made)",
]


def test_magic_lines_become_pass_and_keep_their_place() -> None:
    assert as_python("%%graphdoctor run\n%time f()\nx = !ls\ny = 1 % 2\n  !pip") == (
        "\npass\npass\ny = 1 % 2\n  pass"
    )
    assert as_python("%%bash\nls\n") == "\n\n"


def run_cells(cells: list[str], folder: pathlib.Path) -> list[Any]:
    """The outputs of each cell, run in a fresh kernel."""
    import nbformat
    from nbclient import NotebookClient

    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
    client = NotebookClient(
        notebook,
        timeout=600,
        kernel_name="python3",
        allow_errors=True,
        resources={"metadata": {"path": str(folder)}},
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of the client's own event loop
        client.execute()
    return [cell["outputs"] for cell in notebook["cells"]]


def result(outputs: list[Any]) -> Any:
    (found,) = [output["data"] for output in outputs if output["output_type"] == "execute_result"]
    return found


@pytest.mark.tensorflow
@pytest.mark.chatter
def test_run_check_and_explain_in_a_kernel(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TF_CPP_MIN_LOG_LEVEL", "3")
    _, _, ran, checked, explained, first, last = run_cells(CELLS, tmp_path)
    told = result(ran)["text/plain"]
    assert "In[3]:3:25  GD101 python-number-argument" in told
    assert "scale In[2]:1" in told
    shown = result(ran)["text/html"]
    assert shown.count("<iframe") == 1
    assert "&lt;!doctype html&gt;" in shown
    assert "scale(tf.ones([3]), &lt;mark&gt;step&lt;/mark&gt;)" in shown
    assert re.findall(r"In\[\d\]:\d+:\d+  GD\d+", result(checked)["text/plain"]) == [
        "In[2]:3:5  GD201",
        "In[3]:3:25  GD101",
    ]
    assert "+    tf.print(&amp;#39;scaling&amp;#39;)" in result(checked)["text/html"]
    assert "In[2]" in result(explained)["text/plain"]
    assert re.findall(r"\d+\.py", result(explained)["text/plain"] + result(first)["text/plain"]) == []
    assert "      scale(tf.ones([3]), step)\n                          ^^^^" in told
    assert "if x[0] &amp;gt; 0.0" in result(first)["text/html"]
    assert "first In[6]:2" in re.sub(r"&lt;.*?&gt;", "", result(first)["text/html"])
    assert "In[6]" in result(first)["text/plain"]
    assert last[0]["text"] == "7\n"


@pytest.mark.tensorflow
def test_mistakes_are_one_line(tmp_path: pathlib.Path) -> None:
    cells = ["%load_ext graphdoctor", "%graphdoctor", "%graphdoctor check none.py", "%graphdoctor explain 3"]
    _, *said = run_cells(cells, tmp_path)
    texts = [outputs[0]["text"] for outputs in said]
    assert texts == [
        "UsageError: graphdoctor: expected %%graphdoctor run (above a cell), %graphdoctor check [PATH …], "
        "%graphdoctor explain FUNCTION(EXAMPLES …), also above a cell\n",
        "UsageError: graphdoctor: none.py does not exist\n",
        "UsageError: graphdoctor: explain takes a call with example arguments, not `3`\n",
    ]
