"""Our own commands show nothing of TensorFlow's start; `run` leaves a program's output alone."""

import json
import os
import pathlib
import subprocess
import sys

import msgspec
import pytest
from tests.cli.commands import clean_environment
from tests.log_filter.faking import talkative

from graphdoctor.log_filter import without_log_noise
from workloads.settings import convert
from workloads.speech.config import Config

pytestmark = [pytest.mark.tensorflow, pytest.mark.long]
ROOT = pathlib.Path(__file__).parents[2]
FAKED = 7  # lines that the fake writes
PROGRAM = """import tensorflow as tf


@tf.function
def double(x):
    return x + x


class Trainer:
    train_step = staticmethod(double)

    def batches(self):
        return [tf.ones([2])] * 4


if __name__ == "__main__":
    double(tf.ones([2]))
"""
SPEECH = {
    "data": {"voice": "tones", "sentences": 4, "max_text_length": 40, "max_mel_frames": 80, "batch_size": 2},
    "audio": {"hop": 512, "mel_bins": 16, "griffin_lim_iterations": 2},
    "model": {"channels": 8, "text_layers": 1, "mel_layers": 1, "kernel": 3},
    "training": {"steps": 1, "validate_every": 1, "checkpoint_every": 1, "log_every": 1, "output": "run"},
}


# What graphdoctor itself says beside its report.
SAID = {
    "check": "0 fixes applied in 0 files\n",
    "explain": "graphdoctor: program.py: not run, because `double` does not need it: lines 16-17\n",
}


def start(*arguments: str, cwd: pathlib.Path) -> subprocess.CompletedProcess[str]:
    """`python ARGUMENTS…` with a talkative TensorFlow, and all that it wrote."""
    environment = {**clean_environment(), "PYTHONPATH": os.pathsep.join([str(ROOT), *filter(None, sys.path)])}
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=cwd,
        env=talkative(environment),
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )


@pytest.fixture
def folder(tmp_path: pathlib.Path) -> pathlib.Path:
    (tmp_path / "program.py").write_text(PROGRAM)
    return tmp_path


def test_the_fake_speaks_and_run_leaves_it_alone(folder: pathlib.Path) -> None:
    alone = start("program.py", cwd=folder)
    spoken = len(alone.stderr.splitlines())
    assert spoken >= FAKED  # on some machines TensorFlow itself speaks, too
    assert without_log_noise(alone.stderr) == ""
    done = start("-m", "graphdoctor", "run", "program.py", cwd=folder)
    assert done.returncode == 0
    assert len(done.stderr.splitlines()) - len(without_log_noise(done.stderr).splitlines()) == spoken


@pytest.mark.parametrize(
    "command",
    [
        ["explain", "program.py:double", "--arg", "x=float32[2]", "--compare"],
        ["diagnose", "program:Trainer", "--steps", "2"],
        ["check", "--fix", "program.py"],
    ],
    ids=lambda command: command[0],
)
def test_commands_are_silent(folder: pathlib.Path, command: list[str]) -> None:
    done = start("-m", "graphdoctor", *command, cwd=folder)
    assert done.returncode == 0, done.stderr
    assert (done.stderr, without_log_noise(done.stdout)) == (SAID.get(command[0], ""), done.stdout)


def test_demo_is_silent_and_the_last_words_of_a_sample_are_its_own(folder: pathlib.Path) -> None:
    done = start("-m", "graphdoctor", "demo", "--json", cwd=folder)
    assert (done.returncode, done.stderr) == (0, "")
    samples = json.loads(done.stdout)["patients"]
    assert [without_log_noise(sample["last_words"]) for sample in samples] == [
        sample["last_words"] for sample in samples
    ]


def test_handwriting_is_silent(folder: pathlib.Path) -> None:
    done = start("-m", "workloads.handwriting", "hello", "-o", "hello.svg", cwd=folder)
    assert (done.returncode, done.stderr) == (0, "")


def test_speech_is_silent(folder: pathlib.Path) -> None:
    (folder / "speech.yaml").write_bytes(msgspec.yaml.encode(convert(Config, SPEECH)))
    done = start("-m", "workloads.speech.train", "--config", "speech.yaml", cwd=folder)
    assert (done.returncode, done.stderr) == (0, "")
    done = start("-m", "workloads.speech.sample", "a tone.", "--run", "run", cwd=folder)
    assert (done.returncode, done.stderr) == (0, "")
