"""Programs as processes: their input, their end, what they write."""

import os
import pathlib
import sys

import pytest

from graphdoctor.fixing.processes import Processes
from graphdoctor.fixing.trials import TIME_LIMIT, Ended


def run(processes: Processes, folder: pathlib.Path, text: str, *arguments: str) -> Ended:
    (folder / "p.py").write_text(text)
    witness = {"file": str(folder / "witness.jsonl"), "seed": 1, "moved": ("/nowhere", str(folder))}
    return processes(["p.py", *arguments], str(folder), {"recording": None, "witness": witness})


@pytest.fixture
def stdin(monkeypatch: pytest.MonkeyPatch) -> int:
    """The writing end of a pipe that stands for standard input."""
    reading, writing = os.pipe()
    before = os.dup(0)
    os.dup2(reading, 0)
    os.close(reading)
    yield writing
    os.dup2(before, 0)
    os.close(before)


def test_all_runs_read_the_same_input(tmp_path: pathlib.Path, stdin: int) -> None:
    os.write(stdin, b"one\ntwo\n")
    os.close(stdin)
    processes = Processes(sys.executable, None, shown=False)
    program = "import sys\nprint(sys.stdin.read())"
    ended = [run(processes, tmp_path, program) for _ in range(2)]
    assert [one.output for one in ended] == ["one\ntwo\n\n"] * 2


def test_input_that_never_ends_is_no_reason_to_wait(tmp_path: pathlib.Path, stdin: int) -> None:
    os.write(stdin, b"one\n")
    processes = Processes(sys.executable, None, shown=False)
    ended = [run(processes, tmp_path, "print(input())") for _ in range(2)]
    os.close(stdin)
    assert [one.output for one in ended] == ["one\n"] * 2


def test_arguments_streams_and_status(tmp_path: pathlib.Path, stdin: int) -> None:
    os.close(stdin)
    program = "import sys\nprint(sys.argv[1:])\nprint('oh', file=sys.stderr)\nsys.exit(3)"
    ended = run(Processes(sys.executable, None, shown=False), tmp_path, program, "-m", "--x")
    assert ended == Ended(3, "['-m', '--x']\n", "oh\n")


def test_a_time_limit(tmp_path: pathlib.Path, stdin: int) -> None:
    os.close(stdin)
    program = "import time\nprint('begun', flush=True)\nwhile True: time.sleep(1)"
    ended = run(Processes(sys.executable, 2.0, shown=False), tmp_path, program)
    assert (ended.status, ended.output, ended.stopped) == (None, "begun\n", TIME_LIMIT)
    assert "KeyboardInterrupt" in ended.errors


def test_random_numbers_are_the_same(tmp_path: pathlib.Path, stdin: int) -> None:
    os.close(stdin)
    processes = Processes(sys.executable, None, shown=False)
    program = "import random\nprint(random.random(), sorted({'a', 'b'}))"
    first, second = (run(processes, tmp_path, program) for _ in range(2))
    assert first.output == second.output
