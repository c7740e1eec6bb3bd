"""Train, validate, checkpoint, resume, and speak at the end: `python -m workloads.speech.train`."""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import keras
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from workloads.settings import SettingsError, convert, load, save
from workloads.speech.audio import MelCodec
from workloads.speech.board import Board
from workloads.speech.config import Config
from workloads.speech.errors import SpeechError
from workloads.speech.folders import make_folder
from workloads.speech.pictures import alignment_picture, write_png
from workloads.speech.quality import judge
from workloads.speech.trainer import Trainer
from workloads.speech.wav import write_wav

HERE = Path(__file__).parent
SENTENCE = "The small boat crossed the river at dawn."


def make_trainer(values: Mapping[str, Any] | None = None) -> Trainer:
    """A trainer from a parsed configuration, for `graphdoctor diagnose`."""
    return build_trainer(convert(Config, values))


def build_trainer(config: Config) -> Trainer:
    """A trainer whose first weights follow from the seed."""
    keras.utils.set_random_seed(config.training.seed)
    return Trainer(config)


def train(trainer: Trainer, say: Callable[[str], None] = print) -> list[dict[str, float]]:
    """Run or resume training to its last update; returns the losses of every logged update."""
    training = trainer.config.training
    output = make_folder(training.output, "training.output")
    done = trainer.checkpoints.restore()  # another model is refused before anything is written
    save(trainer.config, output / "config.yaml")
    for note in trainer.notes:
        say(f"note: {note}")
    if done:
        say(f"resumed after {done} updates from {output / 'checkpoints'}")
    history = _kept_history(output / "losses.jsonl", done)
    board = Board(output / "board")
    batches = trainer.batches(done * training.accumulate)
    with (output / "losses.jsonl").open("a", encoding="utf-8") as log:
        for step in _steps(done, training.steps):
            losses = trainer.update(batches)
            finished = step + 1
            if finished % training.log_every == 0 or finished in (1, training.steps):
                history.append({"step": finished, **losses})
                log.write(json.dumps(history[-1]) + "\n")
                log.flush()
                board.scalars(losses, "training", finished)
            if finished % training.validate_every == 0 or finished == training.steps:
                heard = trainer.validate()
                board.scalars(heard, "validation", finished)
                board.pictures(trainer, finished)
                say(
                    f"update {finished}: training loss {losses['loss']:.4f},"
                    f" validation loss {heard['loss']:.4f}, mel {heard['mel']:.4f}"
                )
            if finished % training.checkpoint_every == 0 or finished == training.steps:
                trainer.checkpoints.save(finished)
    return history


def show(trainer: Trainer, text: str = SENTENCE, say: Callable[[str], None] = print) -> None:
    """Speak a sentence, draw the alignment of a validation sentence, print the quality."""
    output = Path(trainer.config.training.output)
    mel, _ = trainer.speak(text)
    samples = MelCodec(trainer.config.audio).decode(mel)
    write_wav(output / "sample.wav", samples, trainer.config.audio.sample_rate)
    _, alignment = trainer.aligned(trainer.validation[0])
    write_png(output / "alignment.png", alignment_picture(alignment))
    say(judge(trainer, trainer.validate()["mel"]).sentence())
    seconds = len(samples) / trainer.config.audio.sample_rate
    say(f"written: {output / 'sample.wav'} ({seconds:.1f} s: {text!r}), {output / 'alignment.png'}")


def _steps(done: int, total: int) -> Iterator[int]:
    """The numbers of the updates to do, with a progress bar on a terminal."""
    columns = (
        TextColumn("training"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
    )
    console = Console(stderr=True)
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task("training", total=total, completed=done)
        for step in range(done, total):
            yield step
            bar.advance(task)


def _kept_history(path: Path, done: int) -> list[dict[str, float]]:
    """The log up to the checkpoint; what a killed run logged beyond it is done again."""
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    history = []
    for line in lines:
        try:
            entry = json.loads(line)
        except json.JSONDecodeError:  # the kill came in the middle of a line
            break
        if entry["step"] > done:
            break
        history.append(entry)
    path.write_text("".join(json.dumps(entry) + "\n" for entry in history), encoding="utf-8")
    return history


def main(arguments: list[str] | None = None) -> int:
    """The command line; returns the exit code."""
    parser = argparse.ArgumentParser(prog="workloads.speech.train", description=__doc__)
    parser.add_argument("--config", type=Path, default=HERE / "config_small.yaml")
    parser.add_argument("--output", help="instead of training.output")
    parser.add_argument("--text", default=SENTENCE, help="what to speak at the end")
    options = parser.parse_args(arguments)
    began = time.perf_counter()
    try:
        config = load(Config, options.config)
        if options.output:
            config = _with_output(config, options.output)
        make_folder(config.training.output, "training.output")
        trainer = build_trainer(config)
        print(f"{len(trainer.training)} sentences to train on, {len(trainer.validation)} to validate")
        print(f"voice: {trainer.voice}; batches: {trainer.shapes}")
        train(trainer)
        show(trainer, options.text)
    except (SettingsError, SpeechError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("stopped; the same command resumes at the last checkpoint", file=sys.stderr)
        return 130
    print(f"{time.perf_counter() - began:.0f} s in all")
    return 0


def _with_output(config: Config, output: str) -> Config:
    import msgspec

    training = msgspec.structs.replace(config.training, output=output)
    return msgspec.structs.replace(config, training=training)


if __name__ == "__main__":
    sys.exit(main())
