"""Two replicas, in one process or in two, follow the loss curve of one."""

import json
import os
import socket
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

pytestmark = pytest.mark.tensorflow
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


def start(*arguments, **environment):
    paths = os.pathsep.join([str(ROOT), *filter(None, sys.path)])
    return subprocess.Popen(
        [sys.executable, str(PROGRAM), *arguments],
        env={**os.environ, "PYTHONPATH": paths, "TF_CPP_MIN_LOG_LEVEL": "3", **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def results_of(process):
    output, errors = process.communicate(timeout=600)
    assert process.returncode == 0, errors[-3000:]
    return [json.loads(line) for line in output.splitlines() if line.startswith("{")]


def free_ports(count):
    sockets = [socket.socket() for _ in range(count)]
    for one in sockets:
        one.bind(("localhost", 0))
    ports = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return ports


def test_replicas_and_workers_equal_one(write):
    workers = [f"localhost:{port}" for port in free_ports(2)]
    half = write("workers", distribute="multi_worker", batch_size=2)
    running = []
    for index in (0, 1):
        task = {"cluster": {"worker": workers}, "task": {"type": "worker", "index": index}}
        running.append(start(half, TF_CONFIG=json.dumps(task)))
    on_workers = [result for process in running for result in results_of(process)]
    single, mirrored = results_of(
        start(
            "--two-devices",
            write("single", batch_size=4),
            write("mirrored", distribute="mirrored", batch_size=2),
        )
    )

    assert single["replicas"] == 1
    for result in (mirrored, *on_workers):
        assert result["replicas"] == 2
        assert result["losses"] == pytest.approx(single["losses"], rel=1e-3)
        assert result["traces"] == [1, 1]
