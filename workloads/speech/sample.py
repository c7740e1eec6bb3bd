"""Text → mel → Griffin-Lim → wav, with a trained run: `python -m workloads.speech.sample TEXT`."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import numpy as np
import tensorflow as tf

from workloads.settings import SettingsError, load
from workloads.speech.audio import MelCodec
from workloads.speech.checkpoints import Checkpoints
from workloads.speech.config import Config
from workloads.speech.errors import SpeechError
from workloads.speech.pictures import alignment_picture, mel_picture, write_png
from workloads.speech.steps import Steps
from workloads.speech.text import encode, unknown_characters
from workloads.speech.wav import write_wav


def load_steps(run: Path) -> tuple[Config, Steps]:
    """The settings and the trained model of a run's folder."""
    config = load(Config, run / "config.yaml")
    steps = Steps(config, tf.distribute.get_strategy(), None)
    if not Checkpoints(steps, run / "checkpoints").restore():
        raise SpeechError(f"{run} holds no checkpoint: train first")
    return config, steps


def speak(text: str, config: Config, steps: Steps) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The samples, the mel [frames, mels] and the alignment [frames, text] of a text."""
    mel, alignment = steps.model.speak(tf.constant([encode(text)]))
    return MelCodec(config.audio).decode(mel), mel.numpy(), alignment.numpy()


def main(arguments: list[str] | None = None) -> int:
    """The command line; returns the exit code."""
    parser = argparse.ArgumentParser(prog="workloads.speech.sample", description=__doc__)
    parser.add_argument("text")
    parser.add_argument("--run", type=Path, default=Path("speech-run"))
    parser.add_argument("-o", "--output", type=Path, help="default: RUN/spoken.wav")
    options = parser.parse_args(arguments)
    output = options.output or options.run / "spoken.wav"
    try:
        encode(options.text)  # before the model is loaded
        config, steps = load_steps(options.run)
        samples, mel, alignment = speak(options.text, config, steps)
    except (SettingsError, SpeechError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    write_wav(output, samples, config.audio.sample_rate)
    write_png(output.with_suffix(".mel.png"), mel_picture(mel))
    write_png(output.with_suffix(".alignment.png"), alignment_picture(alignment))
    if unknown := unknown_characters(options.text):
        print(f"note: left out {' '.join(sorted(unknown))}")
    print(f"written: {output} ({len(samples) / config.audio.sample_rate:.1f} s)")
    return 0


if __name__ == "__main__":
    sys.exit(main())
