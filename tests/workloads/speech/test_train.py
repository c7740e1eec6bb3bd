"""A run from data to sound: it learns, survives a kill, and leaves something to look at and hear."""

import json
import os
import signal
import subprocess
import sys
import time
import wave
from pathlib import Path

import msgspec
import numpy as np
import pytest

from workloads.settings import load
from workloads.speech.config import Config

pytestmark = [pytest.mark.tensorflow, pytest.mark.long]
ROOT = Path(__file__).parents[3]
LEARNS = {"steps": 30, "log_every": 1, "learning_rate": 1e-2, "checkpoint_every": 4, "validate_every": 15}


@pytest.fixture(scope="module")
def trained(tiny, tmp_path_factory):
    """A finished run: its folder, its trainer, its losses, and what it said at the end."""
    from workloads.speech.train import build_trainer, show, train

    folder = tmp_path_factory.mktemp("trained")
    trainer = build_trainer(tiny(output=folder, **LEARNS))
    history = train(trainer, say=lambda line: None)
    said = []
    show(trainer, "a tone.", said.append)
    return folder, trainer, history, said


def test_the_loss_falls_and_the_run_leaves_sound_and_pictures(trained):
    folder, _, history, said = trained

    assert history[-1]["loss"] < 0.8 * history[0]["loss"]
    with wave.open(str(folder / "sample.wav")) as file:
        samples = np.frombuffer(file.readframes(file.getnframes()), "<i2")
    assert np.abs(samples).max() > 1000
    assert (folder / "alignment.png").read_bytes()[:4] == b"\x89PNG"
    assert said[0].startswith("alignment diagonality 0.")
    assert "duration error" in said[0]


def test_tensorboard_has_scalars_and_pictures(trained):
    import tensorflow as tf

    (path,) = (trained[0] / "board").iterdir()
    tags = set()
    for record in tf.data.TFRecordDataset(str(path)):
        for value in tf.compat.v1.Event.FromString(record.numpy()).summary.value:
            tags.add(value.tag)
    assert {"training/loss", "validation/mel", "mel", "alignment"} <= tags


def test_a_killed_run_resumes_on_the_same_loss_curve(trained, tiny, tmp_path, capsys):
    from workloads.speech.train import main

    killed, config = tmp_path / "killed", tmp_path / "config.yaml"
    config.write_bytes(msgspec.yaml.encode(tiny(output=killed, **LEARNS)))
    child = subprocess.Popen(
        [sys.executable, "-m", "workloads.speech.train", "--config", str(config)],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    log = killed / "losses.jsonl"
    while child.poll() is None and not (log.exists() and log.read_text().count("\n") >= 5):
        time.sleep(0.01)
    child.send_signal(signal.SIGKILL)
    child.wait()
    assert len(log.read_text().splitlines()) >= 5

    assert main(["--config", str(config)]) == 0

    assert f"updates from {killed / 'checkpoints'}" in capsys.readouterr().out
    resumed = [json.loads(line) for line in log.read_text().splitlines()]
    assert [entry["step"] for entry in resumed] == list(range(1, 31))
    for before, after in zip(trained[2], resumed, strict=True):
        assert after["loss"] == pytest.approx(before["loss"], rel=1e-4)


def test_a_checkpoint_of_another_model_is_refused(trained, tiny, tmp_path):
    from workloads.speech.errors import SpeechError
    from workloads.speech.train import build_trainer, train

    trainer = build_trainer(tiny(output=trained[0], channels=24))

    with pytest.raises(SpeechError, match="was written with another model"):
        train(trainer, say=lambda line: None)


def test_the_command_tells_errors_in_one_line(tmp_path, capsys):
    from workloads.speech.train import main

    (tmp_path / "config.yaml").write_text("data: {batch_size: -1}\n")

    assert main(["--config", str(tmp_path / "config.yaml")]) == 2
    assert capsys.readouterr().err == (
        f"error: {tmp_path / 'config.yaml'}: Expected `int` >= 1 - at `$.data.batch_size`\n"
    )


@pytest.mark.parametrize("setting", ["data.cache", "training.output"])
def test_a_folder_that_cannot_be_made_is_reported_before_training(tiny, tmp_path, capsys, setting):
    from workloads.speech.train import main

    (tmp_path / "file").write_text("in the way")
    name = setting.partition(".")[2]
    config = tiny(**{"output": tmp_path / "run", name: str(tmp_path / "file" / "folder")})
    (tmp_path / "config.yaml").write_bytes(msgspec.yaml.encode(config))

    assert main(["--config", str(tmp_path / "config.yaml")]) == 2
    assert capsys.readouterr().err == (
        f"error: {setting} {tmp_path / 'file' / 'folder'} cannot be made: Not a directory\n"
    )


def test_a_trained_run_speaks_again_from_its_folder(trained, tmp_path, capsys):
    from workloads.speech.sample import main

    folder, trainer, _, _ = trained

    assert load(Config, folder / "config.yaml") == trainer.config
    assert main(["a tone.", "--run", str(folder), "-o", str(tmp_path / "out.wav")]) == 0
    assert (tmp_path / "out.wav").stat().st_size > 1000
    assert main(["?!", "--run", str(folder)]) == 2
    assert main(["a tone.", "--run", str(tmp_path / "none")]) == 2
    assert capsys.readouterr().err.splitlines() == [
        "error: There is nothing to speak in '?!': expected letters or digits",
        f"error: {tmp_path / 'none' / 'config.yaml'} cannot be read: No such file or directory",
    ]
