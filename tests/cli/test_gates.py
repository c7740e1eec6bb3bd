"""`--fail-on` and `--max-traces` pass only on complete evidence."""

import pathlib

import pytest
from tests.cli.commands import graphdoctor

TRACED = """import tensorflow as tf


@tf.function
def scale(x, step):
    return x * tf.cast(step, tf.float32)


for step in range({times}):
    scale(tf.ones([3]), step)
"""
GATE = ("--fail-on", "retrace")
HEADER = (
    '{"event":"header","format":"graphdoctor-recording","version":2,"graphdoctor":"0.1.0",'
    '"tensorflow":"2.21.0","program":["python","train.py"],"directory":"/work","process":7}\n'
)


def test_no_tensorflow_is_observed_and_passes(tmp_path: pathlib.Path) -> None:
    (tmp_path / "plain.py").write_text("print('done')\n")
    done = graphdoctor("run", *GATE, "plain.py", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (0, "done\n")
    assert done.stderr == (
        "graphdoctor: the program did not import TensorFlow; nothing to report "
        "(--subprocesses also records the processes that it starts)\n"
    )
    assert [path.name for path in tmp_path.iterdir()] == ["plain.py"]


def test_a_place_that_cannot_be_written_passes_no_gate(tmp_path: pathlib.Path) -> None:
    (tmp_path / "plain.py").write_text("print('done')\n")
    (tmp_path / ".graphdoctor").write_text("a file where the folder would be")
    done = graphdoctor("run", *GATE, "plain.py", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "done\n")
    assert done.stderr == (
        "graphdoctor: nothing was recorded: .graphdoctor cannot be written: Not a directory; "
        "--recording names another place\n"
        "graphdoctor: not judged: there is no recording\n"
    )


def test_without_a_gate_a_program_that_ended_well_ends_well(tmp_path: pathlib.Path) -> None:
    (tmp_path / "plain.py").write_text("print('done')\n")
    (tmp_path / ".graphdoctor").write_text("a file where the folder would be")
    assert graphdoctor("run", "plain.py", cwd=tmp_path).returncode == 0


def test_the_program_s_own_exit_code_wins(tmp_path: pathlib.Path) -> None:
    (tmp_path / "plain.py").write_text("raise SystemExit(7)\n")
    (tmp_path / ".graphdoctor").write_text("a file where the folder would be")
    assert graphdoctor("run", *GATE, "plain.py", cwd=tmp_path).returncode == 7


@pytest.mark.parametrize("leaving", ["os._exit(0)", "os.execl('/bin/true', 'true')"])
def test_a_program_that_leaves_before_the_end_passes_no_gate(tmp_path: pathlib.Path, leaving: str) -> None:
    (tmp_path / "plain.py").write_text(f"import os\n{leaving}\n")
    done = graphdoctor("run", *GATE, "plain.py", cwd=tmp_path)
    assert done.returncode == 2
    assert done.stderr == (
        "graphdoctor: nothing was recorded: the process did not reach the end of Python "
        "(it left by `os._exit`, or `exec` replaced it: --subprocesses records what runs then)\n"
        "graphdoctor: not judged: there is no recording\n"
    )


@pytest.mark.tensorflow
def test_a_disk_that_is_full_passes_no_gate(tmp_path: pathlib.Path) -> None:
    filling = "import resource\nresource.setrlimit(resource.RLIMIT_FSIZE, (9000, 9000))\n"
    (tmp_path / "train.py").write_text(filling + TRACED.format(times=60))
    done = graphdoctor("run", "--max-traces", "50", "-q", "train.py", cwd=tmp_path)
    assert done.returncode == 2
    assert "cannot write" in done.stderr
    assert done.stderr.endswith(
        "graphdoctor: not judged: the recording ends early: the program was killed, still runs, "
        "or left without Python's own end (`os._exit`, or `exec`: --subprocesses records what that starts)\n"
    )


@pytest.mark.tensorflow
def test_what_is_not_allowed_is_so_also_on_half_the_evidence(tmp_path: pathlib.Path) -> None:
    (tmp_path / "train.py").write_text(TRACED.format(times=3) + "import os\nos._exit(0)\n")
    done = graphdoctor("run", *GATE, "-q", "train.py", cwd=tmp_path)
    assert done.returncode == 1
    assert "not allowed: train.py:4: `scale` was traced again" in done.stderr


def test_the_report_of_a_killed_run_passes_no_gate(tmp_path: pathlib.Path) -> None:
    (tmp_path / "killed.jsonl").write_text(HEADER)
    done = graphdoctor("report", "--max-traces", "100", "killed.jsonl", cwd=tmp_path)
    assert done.returncode == 2
    assert done.stderr.startswith("graphdoctor: not judged: the recording ends early: ")
    assert graphdoctor("report", "killed.jsonl", cwd=tmp_path).returncode == 0


@pytest.mark.tensorflow
def test_a_program_that_replaces_itself_is_followed_on_demand(tmp_path: pathlib.Path) -> None:
    again = "import os, sys\nif not sys.argv[1:]:\n"
    again += "    os.execv(sys.executable, [sys.executable, __file__, '2'])\n"
    (tmp_path / "train.py").write_text(TRACED.format(times=1) + again + TRACED.format(times=3))
    options = ("--subprocesses", "--recording", "both")
    done = graphdoctor("run", *GATE, *options, "-q", "train.py", cwd=tmp_path)
    assert done.returncode == 1, "the second image was traced again"
    assert len(list((tmp_path / "both").iterdir())) == 2
