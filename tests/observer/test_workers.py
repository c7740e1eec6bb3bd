"""Two workers that train together on this machine: the report names the one that is traced again."""

import contextlib
import json
import pathlib
import socket
import subprocess
import sys

import pytest
from tests.cli.commands import clean_environment, graphdoctor

from graphdoctor.model import Report

PROGRAM = pathlib.Path(__file__).parents[1] / "programs" / "workers" / "train.py"
TIME_LIMIT = 240.0


def free_addresses(number: int) -> list[str]:
    """Addresses of this machine at which nobody listens."""
    with contextlib.ExitStack() as stack:
        sockets = [stack.enter_context(socket.socket()) for _ in range(number)]
        for one in sockets:
            one.bind(("127.0.0.1", 0))
        return [f"127.0.0.1:{one.getsockname()[1]}" for one in sockets]


def run_workers(folder: pathlib.Path, steps: int) -> list[str]:
    """Run both, observed; what each printed. None of them outlives this."""
    addresses = free_addresses(2)
    workers = []
    try:
        for index in range(2):
            task = {"cluster": {"worker": addresses}, "task": {"type": "worker", "index": index}}
            command = [
                "-m",
                "graphdoctor",
                "run",
                "-q",
                "--recording",
                "runs/worker-{rank}.jsonl",
                str(PROGRAM),
            ]
            workers.append(
                subprocess.Popen(
                    [sys.executable, *command, str(steps)],
                    cwd=folder,
                    env={**clean_environment(), "TF_CONFIG": json.dumps(task)},
                    stdout=subprocess.PIPE,
                    stderr=subprocess.STDOUT,
                    text=True,
                )
            )
        printed = [worker.communicate(timeout=TIME_LIMIT)[0] for worker in workers]
        assert [worker.returncode for worker in workers] == [0, 0], printed
        return printed
    finally:
        for worker in workers:
            if worker.poll() is None:
                worker.kill()
                worker.wait()


@pytest.mark.tensorflow
@pytest.mark.long
def test_the_report_says_whose_retraces_held_up_the_other(tmp_path: pathlib.Path) -> None:
    (tmp_path / "runs").mkdir()
    printed = run_workers(tmp_path, steps=5)
    assert ["done 5" in text for text in printed] == [True, True]
    assert sorted(path.name for path in (tmp_path / "runs").iterdir()) == ["worker-0.jsonl", "worker-1.jsonl"]
    done = graphdoctor("report", "runs", "-o", "report.json", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    run = Report.from_json((tmp_path / "report.json").read_text()).run
    assert run is not None
    slow, quick = run.processes
    assert [(one.worker, one.rank) for one in (slow, quick)] == [("worker 1", 1), ("worker 0", 0)]
    assert slow.host == quick.host != ""
    assert (slow.traces, quick.traces) == (6, 2)
    held = slow.held_up[0]
    assert (held.kind, held.name, held.path, held.line) == ("tracing", "features", str(PROGRAM), 16)
    assert held.seconds > sum(one.seconds for one in quick.held_up)
    assert held.seconds > slow.tracing_seconds / 2


def test_an_unknown_rank_is_an_error(tmp_path: pathlib.Path) -> None:
    (tmp_path / "a.py").write_text("")
    done = graphdoctor("run", "--recording", "{rank}.jsonl", "a.py", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (
        2,
        "graphdoctor: --recording {rank}: neither TF_CONFIG nor a launcher says the rank of this process\n",
    )
