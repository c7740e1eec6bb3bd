"""graphdoctor's own judgement of this trainer: sound as shipped, sick without padding and signature."""

import os
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

import msgspec
import pytest

from graphdoctor.config import Config
from graphdoctor.judging import judge_recordings
from graphdoctor.recording import read_recording

pytestmark = [pytest.mark.tensorflow, pytest.mark.long]
ROOT = Path(__file__).parents[3]
PROGRAM = Path(__file__).with_name("observed_run.py")
CONFIGURATIONS = {
    "sorted_pools": {"pad_to_fixed_length": False},
    "buckets": {"pad_to_fixed_length": False, "strategy": "buckets", "buckets": 2, "input_signature": False},
}


@pytest.fixture
def write(tiny, tmp_path):
    def config(name, **changes):
        path = tmp_path / f"{name}.yaml"
        path.write_bytes(msgspec.yaml.encode(tiny(output=tmp_path / name, **changes)))
        return str(path)

    return config


def graphdoctor(*arguments):
    paths = os.pathsep.join([str(ROOT), *filter(None, sys.path)])
    return subprocess.run(
        [sys.executable, "-m", "graphdoctor", *arguments],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": paths, "TF_CPP_MIN_LOG_LEVEL": "3"},
        capture_output=True,
        text=True,
    )


@pytest.mark.parametrize(("name", "traces"), [("sorted_pools", 1), ("buckets", 2)])
def test_traces_equal_what_is_promised_over_several_epochs_and_nothing_is_found(
    write, tmp_path, name, traces
):
    recorded = str(tmp_path / "run.jsonl")

    done = graphdoctor("run", "--recording", recorded, str(PROGRAM), write(name, **CONFIGURATIONS[name]))

    assert done.returncode == 0, done.stderr[-3000:]
    shapes = int(done.stdout.split()[-1])
    assert shapes > 2 if name == "sorted_pools" else shapes == traces
    recording = read_recording(recorded)
    counts = Counter(trace.function.name for trace in recording.traces)
    for step in ("train_step", "accumulate_step", "validation_step"):
        assert counts[f"Steps.{step}"] == traces, step
    found = judge_recordings((recording,), Config()).findings
    # How long it waits for input depends on what else the machine does.
    assert [finding for finding in found if finding.rule != "GD112"] == []


def test_diagnose_names_the_argument_the_axis_the_cost_and_the_fix(write):
    sick = write("sick", pad_to_fixed_length=False, strategy="batch_longest", input_signature=False)

    done = graphdoctor("diagnose", "workloads.speech.train:make_trainer", "--config", sick, "--steps", "2")

    assert done.returncode == 1, done.stderr[-3000:]
    advice = done.stdout[done.stdout.index("Advice") :]
    assert "Steps.train_step (workloads/speech/steps.py:" in advice
    assert '`batch["mel"]` axis 1: ' in advice
    assert (
        "→ give the step an `input_signature` with `None` on axis 1 (`batching.signature(dataset)`)" in advice
    )
    assert '(`batch["text_length"]` and `batch["mel_length"]`) and the measured ' in advice
    assert re.search(r"^  → .* saves at least ", advice, re.MULTILINE)
    assert "✘ train: traces after the first step       1 trace (" in done.stdout


SLOW_INPUT = """
import time

from workloads.speech.train import make_trainer


def make(config):
    trainer = make_trainer(config)
    batches = trainer.batches

    def slow():
        for batch in batches():
            time.sleep(0.3)
            yield batch

    trainer.batches = slow
    return trainer
"""


def test_diagnose_names_the_wait_of_a_trainer_that_is_bound_by_its_input(write, tmp_path):
    (tmp_path / "slow.py").write_text(SLOW_INPUT)

    done = graphdoctor("diagnose", f"{tmp_path}/slow.py:make", "--config", write("well"), "--steps", "5")

    assert done.returncode == 1, done.stdout + done.stderr[-3000:]
    assert "✘ train: waiting for input" in done.stdout
    assert done.stdout.rstrip().endswith(
        "Not ready: train: waiting for input, accumulate: waiting for input."
    )


def test_diagnose_finds_the_fixed_trainer_healthy_over_several_epochs(write):
    well = write("well")

    done = graphdoctor("diagnose", "workloads.speech.train:make_trainer", "--config", well, "--steps", "9")

    assert done.returncode == 0, done.stdout + done.stderr[-3000:]
    for phase in ("train", "accumulate", "validation"):
        line = f"{phase}: traces after the first step"
        assert f"✔ {line:<39}  none in 9 steps\n" in done.stdout
    # Whether its short steps are long enough to be looked into depends on the machine.
    assert done.stdout.splitlines()[-1].startswith("Healthy")
