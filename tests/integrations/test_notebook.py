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
@pytest.mark.log_noise
def test_run_check_and_explain_in_a_kernel(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TF_CPP_MIN_LOG_LEVEL", "3")
    _, _, ran, checked, explained, first, last = run_cells(CELLS, tmp_path)
    reported = result(ran)["text/plain"]
    assert "In[3]:3:25 SLOW GD101 python-number-argument" in reported
    assert "scale In[2]:1" in reported
    shown = result(ran)["text/html"]
    assert shown.count("<iframe") == 1
    assert "&lt;!doctype html&gt;" in shown
    assert "scale(tf.ones([3]), &lt;mark&gt;step&lt;/mark&gt;)" in shown
    assert re.findall(r"In\[\d\]:\d+:\d+ [A-Z]+ GD\d+", result(checked)["text/plain"]) == [
        "In[3]:3:25 SLOW GD101",
    ]
    assert "Not shown: 1 note (--all)." in result(checked)["text/plain"]
    assert "+    tf.print(&amp;#39;scaling&amp;#39;)" in result(checked)["text/html"]
    assert "In[2]" in result(explained)["text/plain"]
    assert re.findall(r"\d+\.py", result(explained)["text/plain"] + result(first)["text/plain"]) == []
    assert "      scale(tf.ones([3]), step)\n                          ^^^^" in reported
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
        "%graphdoctor explain FUNCTION(EXAMPLES …), also above a cell, or %graphdoctor on|off\n",
        "UsageError: graphdoctor: none.py does not exist\n",
        "UsageError: graphdoctor: explain takes a call with example arguments, not `3`\n",
    ]


def displayed(outputs: list[Any]) -> list[Any]:
    return [output["data"] for output in outputs if output["output_type"] == "display_data"]


@pytest.mark.tensorflow
def test_findings_stand_below_the_cell_that_brings_them(tmp_path: pathlib.Path) -> None:
    cells = [
        "%load_ext graphdoctor",
        "import tensorflow as tf\n@tf.function\ndef scale(x, step):\n    return x * float(step)",
        "scale(tf.ones([3]), 1)",
        "for step in range(30):\n    scale(tf.ones([3]), step)",
        "print('nothing new')",
        "%graphdoctor off",
        "@tf.function\ndef late(x):\n    print('mean', tf.reduce_mean(x))\n    return x\nlate(tf.ones([2]))",
        "%graphdoctor on",
        "1 / 0",
        "def broken(:",
        "while True:\n    scale(tf.ones([3]), -step)\n    step += 1\n    if step > 5: break",
    ]
    outputs = run_cells(cells, tmp_path)
    below = {index: displayed(one) for index, one in enumerate(outputs) if displayed(one)}
    assert list(below) == [3, 7, 10]  # what came while it was off is shown when it is on again
    (first,) = below[3]
    assert first["text/plain"] == (
        "graphdoctor: 1 finding\nIn[4]:2:25 SLOW GD101 "
        "each new value of the Python number `step` makes `scale` trace again"
    )
    assert "SLOW GD101</strong> python-number-argument <code>In[4]:2:25</code>" in first["text/html"]
    assert "In[7]:3:5 WRONG GD201" in below[7][0]["text/plain"]
    assert "In[11]:2:25" in below[10][0]["text/plain"]


@pytest.mark.tensorflow
def test_observations_reports_and_findings_have_html(tmp_path: pathlib.Path) -> None:
    cells = [
        "import graphdoctor, tensorflow as tf",
        "with graphdoctor.observe() as observation:\n"
        "    step = tf.function(lambda x, n: x * n)\n"
        "    for n in range(4):\n        step(tf.ones([2]), n)",
        "observation",
        "observation.report()",
        "observation.report().findings[0]",
    ]
    *_, observation, report, finding = run_cells(cells, tmp_path)
    assert result(observation)["text/html"].count("<iframe") == 1
    assert "graphdoctor: 1 finding" in result(report)["text/html"]
    assert "python-number-argument" in result(finding)["text/html"]
    assert "<script" not in result(finding)["text/html"] + result(report)["text/html"]
