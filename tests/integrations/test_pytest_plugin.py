"""The plugin in a pytest of its own, with and without xdist."""

import importlib.metadata
import json
import pathlib
import subprocess

import pytest
from tests.cli.commands import python

MODEL = """import tensorflow as tf


@tf.function
def scale(x, step):
    return x * step


@tf.function
def double(x):
    return x + x
"""
TESTS = """import pytest
import tensorflow as tf

from model import double, scale


@pytest.mark.max_traces(2)
def test_too_many():
    for step in range(4):
        scale(tf.ones([3]), step)


@pytest.mark.no_retrace(warmup=1)
def test_again():
    for step in range(10, 12):
        scale(tf.ones([3]), step)


@pytest.mark.max_traces(1)
@pytest.mark.no_retrace
def test_well():
    for _ in range(3):
        double(tf.ones([3]))


@pytest.mark.no_retrace(warmup=2)
def test_warm():
    for step in range(20, 22):
        scale(tf.ones([3]), step)


def test_fixture(observation):
    @tf.function
    def local(x):
        return x

    local(1)
    local(2)
    (function,) = observation.report().functions
    assert (function.name, function.traces) == ("test_fixture.local", 2)
"""


def run_pytest(folder: pathlib.Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    installed = importlib.metadata.entry_points(group="pytest11", name="graphdoctor")
    load = [] if installed else ["-p", "graphdoctor.integrations.pytest_plugin"]
    return python("-m", "pytest", "-p", "no:cacheprovider", *load, *arguments, cwd=folder)


@pytest.fixture
def project(tmp_path: pathlib.Path) -> pathlib.Path:
    (tmp_path / "pytest.ini").write_text("[pytest]\naddopts = --strict-markers -p no:randomly\n")
    (tmp_path / "model.py").write_text(MODEL)
    (tmp_path / "test_model.py").write_text(TESTS)
    return tmp_path


def section(output: str) -> str:
    return output.partition("= graphdoctor =")[2].partition("\n=")[0]


@pytest.mark.tensorflow
@pytest.mark.long
def test_markers_fixture_section_report_and_lock(project: pathlib.Path) -> None:
    done = run_pytest(
        project, "--graphdoctor", "--graphdoctor-update-lock", "--graphdoctor-report", "traces.html"
    )
    assert done.returncode == 1
    assert "2 failed, 3 passed" in done.stdout
    assert "not allowed: model.py:4: `scale` was traced 4 times, allowed are 2\n" in done.stdout
    assert "not allowed: model.py:4: `scale` was traced again: `step`: now 11, before 10\n" in done.stdout
    said = section(done.stdout)
    assert "GD101 python-number-argument" in said
    assert "because `step` is a Python number" in said
    assert "wrote graphdoctor.lock: 3 functions" in said
    assert json.loads((project / "graphdoctor.lock").read_text()) == {
        "format": "graphdoctor-lock",
        "version": 1,
        "functions": {
            "model.py::double": 1,
            "model.py::scale": 8,
            "test_model.py::test_fixture.local": 2,
        },
    }
    assert "went into 11 traces" in (project / "traces.html").read_text(encoding="utf-8")


@pytest.mark.tensorflow
@pytest.mark.long
def test_workers_are_judged_together_against_the_lock(project: pathlib.Path) -> None:
    lock = {"format": "graphdoctor-lock", "version": 1, "functions": {"model.py::scale": 4}}
    (project / "graphdoctor.lock").write_text(json.dumps(lock))
    chosen = ["-k", "well or fixture or warm", "-n", "2", "-q", "--graphdoctor"]
    (project / "test_more.py").write_text(TESTS.replace("range(20, 22)", "range(30, 32)"))
    done = run_pytest(project, *chosen, "--graphdoctor-fail-on-increase")
    assert done.returncode == 1
    assert "6 passed" in done.stdout
    lines = section(done.stdout).splitlines()  # a late warning may stand between them and the last line
    assert [line for line in lines if line.endswith("the lock")] == [
        f"{file}.py::test_fixture.local was traced 2 times, it is not in the lock"
        for file in ("test_model", "test_more")
    ]
    assert "one cause explains" in lines[1]
    assert any(": SLOW GD101 `scale` was traced" in line for line in lines), lines


OFF = """import pytest
import sys


@pytest.mark.max_traces(0)
@pytest.mark.no_retrace(warmup=1)
def test_nothing_is_loaded():
    assert "graphdoctor.integrations.pytest_session" not in sys.modules
    assert "tensorflow" not in sys.modules
"""


def test_off_unless_asked_for(tmp_path: pathlib.Path) -> None:
    (tmp_path / "test_off.py").write_text(OFF)
    done = run_pytest(tmp_path, "--strict-markers")
    assert (done.returncode, section(done.stdout)) == (0, "")
    assert "1 passed" in done.stdout


def test_without_tensorflow_it_says_so(tmp_path: pathlib.Path) -> None:
    (tmp_path / "test_plain.py").write_text("def test_plain(observation):\n    observation.report()\n")
    done = run_pytest(tmp_path, "--graphdoctor")
    assert done.returncode == 0
    assert "TensorFlow was not imported; nothing to report" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["--graphdoctor", "--graphdoctor-fail-on-increase"],
            "graphdoctor: there is no graphdoctor.lock: write one with --graphdoctor "
            "--graphdoctor-update-lock",
        ),
        (
            ["--graphdoctor-update-lock"],
            "--graphdoctor-update-lock does nothing without --graphdoctor: add it",
        ),
        (
            ["--graphdoctor", "--graphdoctor-report", "r.pdf"],
            "graphdoctor: -o r.pdf: the extension must be one of .txt, .json, .sarif, .html, not `.pdf`",
        ),
    ],
)
def test_bad_options_are_one_line(tmp_path: pathlib.Path, arguments: list[str], message: str) -> None:
    done = run_pytest(tmp_path, *arguments)
    assert (done.returncode, done.stderr.strip()) == (4, f"ERROR: {message}")
