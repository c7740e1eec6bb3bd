"""Training, watched by `graphdoctor run`: traced once without XLA, once per bucket with it."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.tensorflow
ROOT = Path(__file__).parents[3]


def watched(folder, *options):
    """What graphdoctor reports of a short training."""
    report = folder / "report.json"
    training = ("-m", "workloads.handwriting.train", "tiny", "--folder", str(folder / "run"), *options)
    files = ("--recording", str(folder / "recording.jsonl"), "-o", str(report))
    command = [sys.executable, "-m", "graphdoctor", "run", *files, *training]
    environment = {**os.environ, "TF_CPP_MIN_LOG_LEVEL": "3"}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(report.read_text())


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    return watched(tmp_path_factory.mktemp("plain"), "--steps", "12", "--no-tensorboard")


def of_the_trainer(report):
    return {f["name"]: f for f in report["functions"] if f["path"].endswith("handwriting/trainer.py")}


def test_all_buckets_share_one_trace(report):
    functions = of_the_trainer(report)
    assert {name: function["traces"] for name, function in functions.items()} == {
        "Trainer._take_step": 1,
        "Trainer._judge": 1,
    }
    assert functions["Trainer._take_step"]["calls"] == 12


def test_nothing_is_found_in_the_training(report):
    assert not [f for f in report["findings"] if "data.py" not in f["path"]]


@pytest.mark.xfail(
    reason="graphdoctor takes the many functions that `batching` gives to tf.data for one that is "
    "made again and again, and blames the line that calls `make_dataset` (GD102, GD103)"
)
def test_nothing_is_found_at_all(report):
    assert report["findings"] == []


def test_xla_has_one_trace_per_bucket(tmp_path):
    report = watched(tmp_path, "--steps", "8", "--no-tensorboard", "--xla")
    function = of_the_trainer(report)["Trainer._take_step"]
    settings = json.loads((tmp_path / "run" / "settings.json").read_text())
    assert function["traces"] == settings["training"]["buckets"]
