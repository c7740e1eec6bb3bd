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

from workloads.speech.config import load_config

pytestmark = pytest.mark.tensorflow
ROOT = Path(__file__).parents[3]


@pytest.fixture
def run(tiny):
    from workloads.speech.train import train
    from workloads.speech.trainer import Trainer

    def start(output, **changes):
        import keras

        keras.utils.set_random_seed(3)
        trainer = Trainer(tiny(output=output, **changes))
        return trainer, train(trainer, say=lambda line: None)

    return start


def test_the_loss_falls_and_the_run_leaves_sound_and_pictures(run, tmp_path):
    from workloads.speech.train import show

    trainer, history = run(tmp_path, steps=30, log_every=5, learning_rate=1e-2)
    said = []
    show(trainer, "a tone.", said.append)

    assert history[-1]["loss"] < 0.8 * history[0]["loss"]
    with wave.open(str(tmp_path / "sample.wav")) as file:
        samples = np.frombuffer(file.readframes(file.getnframes()), "<i2")
    assert np.abs(samples).max() > 1000
    assert (tmp_path / "alignment.png").read_bytes()[:4] == b"\x89PNG"
    assert said[0].startswith("alignment diagonality 0.")
    assert "duration error" in said[0]


def test_tensorboard_has_scalars_and_pictures(run, tmp_path):
    import tensorflow as tf

    run(tmp_path, steps=3)

    (path,) = (tmp_path / "board").iterdir()
    tags = set()
    for record in tf.data.TFRecordDataset(str(path)):
        for value in tf.compat.v1.Event.FromString(record.numpy()).summary.value:
            tags.add(value.tag)
    assert {"training/loss", "validation/mel", "mel", "alignment"} <= tags


def test_a_killed_run_resumes_on_the_same_loss_curve(run, tiny, tmp_path):
    _, whole = run(tmp_path / "whole", steps=8)
    killed = tmp_path / "killed"
    config = tiny(output=killed, steps=8)
    (tmp_path / "config.yaml").write_bytes(msgspec.yaml.encode(config))
    program = (
        "import keras, pathlib, sys; keras.utils.set_random_seed(3);"
        "from workloads.speech.train import train; from workloads.speech.trainer import Trainer;"
        "from workloads.speech.config import load_config;"
        "train(Trainer(load_config(pathlib.Path(sys.argv[1]))))"
    )
    child = subprocess.Popen(
        [sys.executable, "-c", program, str(tmp_path / "config.yaml")],
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

    _trainer, resumed = run(killed, steps=8)

    assert [entry["step"] for entry in resumed] == list(range(1, 9))
    for before, after in zip(whole, resumed, strict=True):
        assert after["loss"] == pytest.approx(before["loss"], rel=1e-5)
    assert [json.loads(line) for line in log.read_text().splitlines()] == resumed


def test_a_checkpoint_of_another_model_is_refused(run, tmp_path):
    from workloads.speech.errors import SpeechError

    run(tmp_path, steps=2)

    with pytest.raises(SpeechError, match="was written with another model"):
        run(tmp_path, steps=4, channels=24)


def test_the_command_tells_errors_in_one_line(tmp_path, capsys):
    from workloads.speech.train import main

    (tmp_path / "config.yaml").write_text("data: {batch_size: -1}\n")

    assert main(["--config", str(tmp_path / "config.yaml")]) == 2
    assert capsys.readouterr().err == (
        f"error: {tmp_path / 'config.yaml'}: Expected `int` >= 1 - at `$.data.batch_size`\n"
    )


def test_a_trained_run_speaks_again_from_its_folder(run, tmp_path, capsys):
    from workloads.speech.sample import main

    trainer, _ = run(tmp_path, steps=2)

    assert load_config(tmp_path / "config.yaml") == trainer.config
    assert main(["a tone.", "--run", str(tmp_path), "-o", str(tmp_path / "out.wav")]) == 0
    assert (tmp_path / "out.wav").stat().st_size > 1000
    assert main(["?!", "--run", str(tmp_path)]) == 2
    assert main(["a tone.", "--run", str(tmp_path / "none")]) == 2
    assert capsys.readouterr().err.splitlines() == [
        "error: There is nothing to speak in '?!': expected letters or digits",
        f"error: {tmp_path / 'none' / 'config.yaml'} cannot be read: No such file or directory",
    ]
