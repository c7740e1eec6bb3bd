"""`graphdoctor run` of a program that does not import TensorFlow itself: what is said when others worked."""
# ruff: noqa: E501

import pathlib

import pytest
from tests.cli.commands import graphdoctor

NOTHING = (
    "graphdoctor: the program did not import TensorFlow; nothing to report "
    "(--subprocesses also records the processes that it starts)\n"
)
BUSY = "import time; end = time.process_time() + 1.2\nwhile time.process_time() < end: pass"
STARTED = {
    "by `subprocess`": "import subprocess, sys\nsubprocess.run([sys.executable, '-c', BUSY])\n",
    "by `multiprocessing`": (
        "import multiprocessing\nworker = multiprocessing.get_context('fork').Process(target=exec, args=(BUSY,))\n"
        "worker.start()\nworker.join()\n"
    ),
    "by a shell": "import os, sys\nos.environ['BUSY'] = BUSY\nos.system(f'\"{sys.executable}\" -c \"$BUSY\"')\n",
}


@pytest.mark.parametrize("program", ["print(1)\n", "import subprocess, sys\nsubprocess.run(['true'])\n"])
def test_where_nobody_worked_nothing_more_is_said(program: str, tmp_path: pathlib.Path) -> None:
    (tmp_path / "program.py").write_text(program)
    done = graphdoctor("run", "program.py", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, NOTHING)
    assert [path.name for path in tmp_path.iterdir()] == ["program.py"]


@pytest.mark.parametrize("name", STARTED)
def test_processes_that_worked_are_named(name: str, tmp_path: pathlib.Path) -> None:
    (tmp_path / "program.py").write_text(f"BUSY = {BUSY!r}\n" + STARTED[name])
    done = graphdoctor("run", "program.py", cwd=tmp_path)
    assert done.stderr.startswith(
        "graphdoctor: nothing was seen: the program did not import TensorFlow itself, but processes that it "
        "started worked for 1."
    )
    assert done.stderr.endswith("; run it with --subprocesses to record them\n")
    assert [path.name for path in tmp_path.iterdir()] == ["program.py"]
