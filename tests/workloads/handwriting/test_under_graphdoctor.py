"""Training, watched by `graphdoctor run`: traced once for all buckets, and nothing to complain of."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = [pytest.mark.tensorflow, pytest.mark.long]
ROOT = Path(__file__).parents[3]


def watched(folder, *program):
    """What graphdoctor reports of a program."""
    command = [sys.executable, "-m", "graphdoctor", "run", "-o", "report.json", *program]
    paths = os.pathsep.join([str(ROOT), str(ROOT / "src")])
    environment = {**os.environ, "TF_CPP_MIN_LOG_LEVEL": "3", "PYTHONPATH": paths}
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads((folder / "report.json").read_text())


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    training = ("-m", "workloads.handwriting.train", "tiny", "--steps", "12", "--no-tensorboard")
    return watched(tmp_path_factory.mktemp("plain"), *training)


def of_the_trainer(report):
    return {f["name"]: f for f in report["functions"] if f["path"].endswith("handwriting/trainer.py")}


def test_all_buckets_share_one_trace(report):
    functions = of_the_trainer(report)
    assert {name: function["traces"] for name, function in functions.items()} == {
        "Trainer._take_step": 1,
        "Trainer._judge": 1,
    }
    assert functions["Trainer._take_step"]["calls"] == 12


def test_nothing_is_found(report):
    """But for a wait for input (GD112): how long it is depends on what else the machine does."""
    assert [finding for finding in report["findings"] if finding["rule"] != "GD112"] == []
