"""What `run` and `report` can be asked to do beside reporting."""

import json
import pathlib
import re

import pytest
from tests.cli.commands import graphdoctor
from tests.making import make_recording, make_trace, value, write_recording

from graphdoctor.recording import find_recordings, read_recording

TRAINER = """import multiprocessing, os, sys
import tensorflow as tf


@tf.function
def scale(x, secret):
    return x * tf.cast(secret, tf.float32)


def work(times):
    for step in range(times):
        scale(tf.ones([3]), 87654321000 + step)


def work_and_become_another_program():
    work(2)
    os.execv(sys.executable, [sys.executable, __file__, "another"])


if __name__ == "__main__":
    if sys.argv[1:] == ["another"]:
        work(3)
    else:
        spawn = multiprocessing.get_context("spawn")
        worker = spawn.Process(target=work_and_become_another_program)
        worker.start()
        worker.join()
        work(6)
"""


@pytest.mark.tensorflow
@pytest.mark.long
def test_live_redacted_with_subprocesses_and_a_limit(tmp_path: pathlib.Path) -> None:
    (tmp_path / "train.py").write_text(TRAINER)
    options = (
        "--live",
        "--redact",
        "--subprocesses",
        "--recording",
        "runs",
        "--max-traces",
        "5",
        "-o",
        "r.json",
    )
    done = graphdoctor("run", *options, "train.py", cwd=tmp_path)
    assert done.returncode == 1
    recordings = [read_recording(path) for path in find_recordings(str(tmp_path / "runs"))]
    assert sorted(len(recording.traces) for recording in recordings) == [2, 3, 6]
    assert sum(recording.complete for recording in recordings) == 2  # one replaced itself
    assert all("87654321" not in path.read_text() for path in (tmp_path / "runs").iterdir())
    live = re.findall(
        r"^graphdoctor: train\.py:5: `scale` trace (\d) \(.*\): (.*)$", done.stderr, re.MULTILINE
    )
    assert sorted(number for number, _ in live) == sorted("2" + "23" + "23456")
    assert all(re.fullmatch(r"`secret` is a Python value: now #\w{8}, before #\w{8}", why) for _, why in live)
    assert "triggered tf.function retracing" not in done.stderr
    assert done.stderr.endswith(
        "graphdoctor: not allowed: train.py:5: `scale` was traced 6 times, allowed are 5\n"
    )
    report = json.loads((tmp_path / "r.json").read_text())
    assert [process["traces"] for process in report["run"]["processes"]].count(6) == 1
    (function,) = report["functions"]
    assert (function["traces"], function["counted_traces"], function["retraces"]) == (11, 6, 8)
    again = graphdoctor("report", "runs", cwd=tmp_path)
    assert again.returncode == 0
    assert re.search(
        r"process \d+ traced alone for .*: where processes step together, 2 other processes", again.stdout
    )


@pytest.mark.tensorflow
@pytest.mark.long
def test_the_program_s_own_failure_comes_first(tmp_path: pathlib.Path) -> None:
    (tmp_path / "train.py").write_text(
        "import tensorflow as tf\ntf.function(lambda x: x)(1)\nraise SystemExit(7)\n"
    )
    assert graphdoctor("run", "--max-traces", "0", "train.py", cwd=tmp_path).returncode == 7


@pytest.mark.tensorflow
@pytest.mark.long
@pytest.mark.log_noise
def test_what_cannot_be_judged_is_not_well(tmp_path: pathlib.Path) -> None:
    (tmp_path / "train.py").write_text("import tensorflow as tf\n")
    done = graphdoctor("run", "--fail-on", "retrace", "--recording", "/dev/full", "train.py", cwd=tmp_path)
    assert done.returncode == 2
    assert done.stderr.splitlines() == [
        "graphdoctor: cannot write /dev/full: No space left on device; recording stops",
        "graphdoctor: /dev/full: cannot be read: it is not a regular file",
    ]


@pytest.fixture
def recorded(tmp_path: pathlib.Path) -> pathlib.Path:
    traces = [make_trace(value("step", number)) for number in range(4)]
    write_recording(tmp_path / "r.jsonl", make_recording(*traces))
    return tmp_path


@pytest.mark.parametrize(
    ("options", "status", "lines"),
    [
        ([], 0, []),
        (["--fail-on", "retrace", "--warmup", "4"], 0, []),
        (["--fail-on", "retrace,GD1xx", "--exclude", "train.py"], 0, []),
        (["--max-traces", "3", "--include", "models/*"], 0, []),
        (
            ["--max-traces", "3", "--include", "*.py"],
            1,
            ["graphdoctor: not allowed: train.py:3: `step` was traced 4 times, allowed are 3"],
        ),
        (
            ["--fail-on", "retrace"],
            1,
            ["graphdoctor: not allowed: train.py:3: `step` was traced again: `step`: now 3, before 2, 1, 0"],
        ),
    ],
)
def test_report_judges_too(recorded: pathlib.Path, options: list[str], status: int, lines: list[str]) -> None:
    done = graphdoctor("report", "r.jsonl", *options, cwd=recorded)
    assert (done.returncode, done.stderr.splitlines()) == (status, lines)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["report", "."], ".: there is no recording in this directory"),
        (
            ["report", "r.jsonl", "--fail-on", "GD9zz"],
            "--fail-on GD9zz: no rule is called so; `graphdoctor rule` lists them",
        ),
        (
            ["run", "--fail-on", "speed", "x.py"],
            "--fail-on speed: no rule is called so; `graphdoctor rule` lists them",
        ),
        (
            ["run", "--subprocesses", "--recording", "x.py", "x.py"],
            "--recording x.py: with --subprocesses this must be a directory, not a file",
        ),
        (
            ["run", "--subprocesses", "--recording", "full", "x.py"],
            "--recording full: there are recordings in it; name a new directory",
        ),
    ],
)
def test_bad_input_is_one_line_and_exit_2(tmp_path: pathlib.Path, arguments: list[str], message: str) -> None:
    (tmp_path / "x.py").write_text("")
    (tmp_path / "full").mkdir()
    (tmp_path / "full/1.jsonl").write_text("")
    done = graphdoctor(*arguments, cwd=tmp_path)
    assert (done.returncode, done.stderr) == (2, f"graphdoctor: {message}\n")
