"""Two replicas, in one process or in two, follow the loss curve of one."""

import json
import os
import socket
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

pytestmark = [pytest.mark.tensorflow, pytest.mark.long]
ROOT = Path(__file__).parents[3]
PROGRAM = Path(__file__).with_name("replica_run.py")


@pytest.fixture
def write(tiny, tmp_path):
    def config(name, **changes):
        path = tmp_path / f"{name}.yaml"
        made = tiny(output=tmp_path / name, pad_to_fixed_length=False, **changes)
        path.write_bytes(msgspec.yaml.encode(made))
        return str(path)

    return config


@pytest.fixture
def start(tmp_path):
    """Starts the program; what it writes goes to files, so that none waits until another is read."""

    def started(name, *arguments, **environment):
        paths = os.pathsep.join([str(ROOT), *filter(None, sys.path)])
        with open(tmp_path / f"{name}.out", "w") as output, open(tmp_path / f"{name}.err", "w") as errors:
            return subprocess.Popen(
                [sys.executable, str(PROGRAM), *arguments],
                env={**os.environ, "PYTHONPATH": paths, "TF_CPP_MIN_LOG_LEVEL": "3", **environment},
                stdout=output,
                stderr=errors,
            )

    return started


@pytest.fixture
def results_of(tmp_path):
    """The results of processes by name; where one of them fails, what all of them wrote."""

    def results(processes):
        codes = {name: process.wait(timeout=600) for name, process in processes.items()}
        reported = {name: (codes[name], (tmp_path / f"{name}.err").read_text()[-3000:]) for name in codes}
        assert not any(codes.values()), "\n".join(
            f"{name} ended with {code}:\n{text}" for name, (code, text) in reported.items()
        )
        lines = [line for name in codes for line in (tmp_path / f"{name}.out").read_text().splitlines()]
        return [json.loads(line) for line in lines if line.startswith("{")]

    return results


def free_ports(count):
    sockets = [socket.socket() for _ in range(count)]
    for one in sockets:
        one.bind(("localhost", 0))
    ports = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return ports


def test_replicas_and_workers_equal_one(write, start, results_of):
    workers = [f"localhost:{port}" for port in free_ports(2)]
    half = write("workers", distribute="multi_worker", batch_size=2)
    running = {}
    for index in (0, 1):
        task = {"cluster": {"worker": workers}, "task": {"type": "worker", "index": index}}
        running[f"worker {index}"] = start(f"worker {index}", half, TF_CONFIG=json.dumps(task))
    on_workers = results_of(running)
    one_process = start(
        "one process",
        "--two-devices",
        write("single", batch_size=4),
        write("mirrored", distribute="mirrored", batch_size=2),
    )
    single, mirrored = results_of({"one process": one_process})

    assert single["replicas"] == 1
    for result in (mirrored, *on_workers):
        assert result["replicas"] == 2
        assert result["losses"] == pytest.approx(single["losses"], rel=1e-3)
        assert result["traces"] == [1, 1]
