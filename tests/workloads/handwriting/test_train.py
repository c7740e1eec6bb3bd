"""Training: it learns, stops, resumes exactly after a kill, and traces once per bucket."""

import dataclasses
import math

import numpy as np
import pytest

from workloads.handwriting import data
from workloads.handwriting.config import ConfigError, ModelConfig, TrainConfig
from workloads.handwriting.train import train
from workloads.handwriting.trainer import Result, Trainer
from workloads.handwriting.watching import Bar, Board, all_of, describe
from workloads.handwriting.writer import Writer

pytestmark = [
    pytest.mark.tensorflow,
    # Keras 3.15 saves its variables in a way that NumPy 2 warns of.
    pytest.mark.filterwarnings("ignore:__array__ implementation:DeprecationWarning"),
]
MODEL = ModelConfig(hidden=8, layers=2, mixtures=2, components=2)
SETTINGS = TrainConfig(
    batch_size=4,
    steps=6,
    warmup=2,
    learning_rate=0.01,
    evaluate_every=2,
    training_lines=12,
    validation_lines=4,
    buckets=2,
    longest_text=3,
)


class StopError(Exception):
    """Stands for a kill."""


def weights_of(trainer):
    return [variable.value.numpy() for variable in trainer.model.variables]


def test_training_that_was_killed_ends_where_an_unbroken_one_ends(tmp_path):
    losses = {}

    def note(progress, trainer):
        losses.setdefault(progress.step, progress.trained.loss)

    whole = train(MODEL, SETTINGS, tmp_path / "whole", note)
    assert sorted(losses) == [1, 2, 3, 4, 5, 6]

    def kill(progress, trainer):
        if progress.step == 3:  # after the checkpoint of step 2, before the next
            raise StopError

    with pytest.raises(StopError):
        train(MODEL, SETTINGS, tmp_path / "killed", kill)
    resumed_losses = {}
    resumed = train(
        MODEL,
        SETTINGS,
        tmp_path / "killed",
        lambda progress, _: resumed_losses.setdefault(progress.step, progress.trained.loss),
    )
    assert resumed_losses == {step: losses[step] for step in (3, 4, 5, 6)}
    for one, other in zip(weights_of(resumed), weights_of(whole), strict=True):
        np.testing.assert_array_equal(one, other)
    assert Writer.load(tmp_path / "killed").write(["ab"])[0].strokes


def test_loss_falls_and_xla_takes_the_same_steps():
    lines = data.make_lines(4, seed=1, longest=3)
    batch = next(iter(data.make_batches(lines, 5.0, 4, buckets=1)))
    curves = []
    for jit_compile in (False, True):
        trainer = Trainer(MODEL, SETTINGS, jit_compile=jit_compile)
        curves.append([trainer.train_step(batch).loss for _ in range(8)])
    assert curves[0][-1] < curves[0][0]
    np.testing.assert_allclose(curves[1], curves[0], rtol=1e-3)


def test_a_step_with_a_broken_loss_changes_nothing_but_the_count():
    lines = data.make_lines(4, seed=1, longest=3)
    batch = next(iter(data.make_batches(lines, 5.0, 4, buckets=1)))
    trainer = Trainer(MODEL, SETTINGS)
    before = weights_of(trainer)
    trainer.train_step({**batch, "points": batch["points"] * math.nan})
    for one, other in zip(weights_of(trainer), before, strict=True):
        np.testing.assert_array_equal(one, other)
    assert int(trainer.step) == 1


def test_patience_ends_the_training():
    trainer = Trainer(MODEL, dataclasses.replace(SETTINGS, patience=2))
    better = [trainer.judge_progress(Result(loss, 0.5)) for loss in (1.0, 0.5, 0.6)]
    assert better == [True, True, False]
    assert not trainer.finished
    trainer.judge_progress(Result(math.nan, 0.5))
    assert trainer.finished


def test_a_folder_keeps_its_settings(tmp_path):
    train(MODEL, dataclasses.replace(SETTINGS, steps=1), tmp_path)
    with pytest.raises(ConfigError) as error:
        train(MODEL, SETTINGS, tmp_path)
    assert str(error.value) == (
        f"{tmp_path / 'settings.json'} was written with other settings: use them, or another folder"
    )


def test_bar_and_board_show_loss_and_alignment(tmp_path, capsys):
    settings = dataclasses.replace(SETTINGS, steps=2)
    with Bar(2) as bar, Board(tmp_path / "board") as board:
        train(MODEL, settings, tmp_path / "run", all_of([bar, board]))
    printed = capsys.readouterr().out
    assert "step 2: held-out lines: loss " in printed
    assert " alignment " in printed
    events = b"".join(path.read_bytes() for path in (tmp_path / "board").iterdir())
    for tag in (b"training/loss", b"training/alignment", b"validation/loss", b"attention", b"PNG"):
        assert tag in events


def test_unknown_alignment_is_said():
    assert describe(Result(-1.2345, math.nan)) == "loss -1.234, alignment unknown"
