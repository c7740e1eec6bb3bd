"""`graphdoctor run --calls` as a user meets it."""

import json
import pathlib

import pytest
from tests.cli.commands import graphdoctor

pytestmark = pytest.mark.tensorflow

PROGRAM = """import tensorflow as tf


@tf.function
def double(number):
    return tf.constant(number) * 2


double(1)
double(1.0)
"""


def test_says_which_call_ran_the_graph_of_another_value(tmp_path: pathlib.Path) -> None:
    (tmp_path / "program.py").write_text(PROGRAM)
    done = graphdoctor("run", "--calls", "-o", "report.json", "program.py", cwd=tmp_path)
    assert done.returncode == 0
    found = json.loads((tmp_path / "report.json").read_text())["findings"]
    assert [(f["rule"], f["line"], f["column"], f["message"]) for f in found if f["rule"] == "GD121"] == [
        ("GD121", 10, 8, "1 call of `double` with `number` = 1.0 ran the graph traced for 1")
    ]
