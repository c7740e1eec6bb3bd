"""The page of real runs: what XLA compiled, the memory, and processes side by side."""

import pathlib
import re

import pytest
from tests.browsing import Chromium
from tests.running import TensorFlowServer

from graphdoctor.config import Config
from graphdoctor.judging import judge_recordings
from graphdoctor.model import Report
from graphdoctor.reports.formats import render, write_report

COMPILED = """import tensorflow as tf


@tf.function(jit_compile=True, input_signature=[tf.TensorSpec([None], tf.float32)])
def serve(x):
    return tf.reduce_sum(x * x)


@tf.function
def scale(x, step):
    return x * step


for length in (3, 4, 3, 5):
    serve(tf.ones([length]))
for step in range(3):
    scale(tf.ones([2]), step)
"""


@pytest.fixture(scope="module")
def report(tensorflow: TensorFlowServer) -> Report:
    """Two processes, as a run with --subprocesses records them."""
    ran = [tensorflow.run(COMPILED, name="serve.py") for _ in range(2)]
    assert [one.error for one in ran] == [None, None]
    return judge_recordings(tuple(one.recording for one in ran), Config())


def rows(page: str, section: str) -> list[str]:
    """The rows of a section's table, as text."""
    body = page.partition(f'<section id="{section}"')[2].partition("</section>")[0]
    found = re.findall(r"<tr.*?</tr>", body.partition("<tbody>")[2], re.DOTALL)
    return [" ".join(re.sub(r"<[^>]+>", " ", row).split()) for row in found]


@pytest.mark.tensorflow
def test_compilations_memory_and_processes_are_reported(report: Report) -> None:
    page = render(report, "html")
    compiled = rows(page, "xla")
    assert len(compiled) == 6
    assert {re.sub(r"[\d.]+ m?s", "T", row) for row in compiled} == {
        "serve [3] T T 2",
        "serve [4] T T 1",
        "serve [5] T T 1",
    }
    assert page.count("<polyline") == 2
    kept = [row.split(" ")[:2] for row in rows(page, "memory")]
    assert sorted(kept) == [["scale", "3"], ["scale", "3"], ["serve", "1"], ["serve", "1"]]
    processes = rows(page, "processes")
    assert [re.sub(r"[\d.]+ m?s", "T", row).split(" ", 1)[1] for row in processes] == ["4 T T T"] * 2


@pytest.mark.tensorflow
def test_the_page_renders(report: Report, chromium: Chromium, tmp_path: pathlib.Path) -> None:
    write_report(report, str(tmp_path / "report.html"))
    opened = chromium.open(tmp_path / "report.html", anchor="#xla")
    opened.page.locator("#lanes").select_option("process")
    assert opened.page.locator("#processes tbody tr").count() == 2
    assert opened.page.locator("#xla").is_visible()
    assert opened.complaints == []
