"""Training: it learns, stops, resumes exactly after a kill, and traces once per bucket."""

import io
import math
from contextlib import redirect_stdout
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest
from click.testing import CliRunner
from msgspec.structs import replace

from workloads.handwriting import data
from workloads.handwriting.config import BUNDLED, Config, ModelConfig, TrainConfig, find_config, read_config
from workloads.handwriting.train import prepare, train
from workloads.handwriting.train_command import main
from workloads.handwriting.trainer import Result, Trainer
from workloads.handwriting.watching import Bar, Board, all_of, describe
from workloads.handwriting.writer import Writer
from workloads.settings import SettingsError, save

pytestmark = [
    pytest.mark.long,
    pytest.mark.tensorflow,
    # Keras 3.15 saves its variables in a way that NumPy 2 warns of.
    pytest.mark.filterwarnings("ignore:__array__ implementation:DeprecationWarning"),
]
MODEL = ModelConfig(hidden=8, layers=1, mixtures=2, components=2)
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


def weights_of(trainer):
    return [variable.value.numpy() for variable in trainer.model.variables]


class Whole(NamedTuple):
    """A training that nothing broke, and what it showed."""

    folder: Path
    trainer: Trainer
    losses: dict[int, float]
    printed: str


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    folder = tmp_path_factory.mktemp("whole")
    losses = {}

    def note(progress, trainer):
        losses.setdefault(progress.step, progress.trained.loss)

    printed = io.StringIO()
    with redirect_stdout(printed), Bar(6) as bar, Board(folder / "board") as board:
        trainer = train(MODEL, SETTINGS, folder, all_of([note, bar, board]))
    return Whole(folder, trainer, losses, printed.getvalue())


def test_training_that_was_killed_ends_where_an_unbroken_one_ends(whole, tensorflow, tmp_path):
    assert sorted(whole.losses) == [1, 2, 3, 4, 5, 6]
    program = f"""
import os, signal
from pathlib import Path
from workloads.handwriting.config import ModelConfig, TrainConfig
from workloads.handwriting.train import train

def kill(progress, trainer):
    print("step", progress.step, flush=True)
    if progress.step == 3:  # after the checkpoint of step 2, before the next
        os.kill(os.getpid(), signal.SIGKILL)

train({MODEL!r}, {SETTINGS!r}, Path({str(tmp_path)!r}), kill)
"""
    killed = tensorflow.run(program, observe=False)
    assert (killed.output.split("step ")[-1].strip(), killed.error) == ("3", None)
    assert Writer.load(tmp_path).write(["ab"])[0].strokes
    resumed_losses = {}
    resumed = train(
        MODEL,
        SETTINGS,
        tmp_path,
        lambda progress, _: resumed_losses.setdefault(progress.step, progress.trained.loss),
    )
    assert resumed_losses == {step: whole.losses[step] for step in (3, 4, 5, 6)}
    for one, other in zip(weights_of(resumed), weights_of(whole.trainer), strict=True):
        np.testing.assert_array_equal(one, other)


def test_bar_and_board_show_loss_and_alignment(whole):
    assert "step 2: held-out lines: loss " in whole.printed
    assert " alignment " in whole.printed
    events = b"".join(path.read_bytes() for path in (whole.folder / "board").iterdir())
    for tag in (b"training/loss", b"training/alignment", b"validation/loss", b"attention", b"PNG"):
        assert tag in events


def test_a_folder_keeps_its_settings(whole):
    with pytest.raises(SettingsError) as error:
        train(MODEL, replace(SETTINGS, steps=9), whole.folder)
    assert str(error.value) == (
        f"{whole.folder / 'config.yaml'} was written with other settings: use them, or another folder"
    )


def one_batch():
    lines = data.make_lines(4, seed=1, longest=3)
    return next(iter(data.make_batches(lines, 5.0, 4, buckets=1)))


def test_loss_falls_and_xla_takes_the_same_steps():
    batch = one_batch()
    curves = []
    for jit_compile in (False, True):
        trainer = Trainer(MODEL, SETTINGS, jit_compile=jit_compile)
        curves.append([trainer.train_step(batch).loss for _ in range(8)])
    assert curves[0][-1] < curves[0][0]
    np.testing.assert_allclose(curves[1], curves[0], rtol=1e-3)


def test_a_step_with_a_broken_loss_moves_the_weights_no_farther_than_a_sound_one(whole):
    batch = one_batch()
    before, count = weights_of(whole.trainer), int(whole.trainer.step)
    result = whole.trainer.train_step({**batch, "points": batch["points"] * math.nan})
    assert math.isnan(result.loss)
    for one, other in zip(weights_of(whole.trainer), before, strict=True):
        np.testing.assert_allclose(one, other, rtol=0, atol=SETTINGS.learning_rate)
    assert int(whole.trainer.step) == count + 1


@pytest.mark.parametrize(("jit_compile", "graphs"), [(False, 1), (True, 2)])
def test_two_buckets_are_one_graph_and_with_xla_two(jit_compile, graphs):
    lines = data.make_lines(4, seed=1, longest=2) + data.make_lines(4, seed=2, longest=6)
    batches = list(data.make_batches(lines, 5.0, 4, buckets=2))
    assert len({batch["points"].shape for batch in batches}) == 2
    trainer = Trainer(MODEL, SETTINGS, jit_compile=jit_compile)
    traced = {trainer._train_step.get_concrete_function(batch).name for batch in batches}
    assert len(traced) == graphs


def test_some_training_lines_do_not_tell_their_style():
    training = prepare(MODEL, replace(SETTINGS, styles=("script",)))[2]
    assert [line.style for line in training[:6]] == ["", *["script"] * 4, ""]


@pytest.mark.parametrize("name", BUNDLED)
def test_the_bundled_configurations_are_valid(name):
    assert isinstance(find_config(name), Config)


def test_a_configuration_that_is_not_there_is_named(tmp_path):
    done = CliRunner().invoke(main, [str(tmp_path / "mine.yaml")])
    assert done.exit_code == 1
    assert "mine.yaml cannot be read: No such file or directory" in done.output


def test_weights_without_what_was_measured_are_refused(tmp_path):
    save(Config(MODEL, SETTINGS), tmp_path / "config.yaml")
    with pytest.raises(SettingsError, match="does not say what was measured on the data"):
        read_config(tmp_path)


def test_training_without_progress_stops_early_and_the_command_says_so(tmp_path):
    still = replace(SETTINGS, steps=50, evaluate_every=1, patience=2, learning_rate=1e-30)
    save(Config(MODEL, still), tmp_path / "still.yaml")
    folder = str(tmp_path / "run")
    done = CliRunner().invoke(main, [str(tmp_path / "still.yaml"), "--folder", folder, "--no-tensorboard"])
    assert done.exit_code == 0, done.output
    assert "stopped at step 3: no better loss in 2 evaluations" in done.output


def test_patience_ends_the_training():
    trainer = Trainer(MODEL, replace(SETTINGS, patience=2))
    better = [trainer.judge_progress(Result(loss, 0.5)) for loss in (1.0, 0.5, 0.6)]
    assert better == [True, True, False]
    assert not trainer.finished
    trainer.judge_progress(Result(math.nan, 0.5))
    assert trainer.finished


def test_unknown_alignment_is_said():
    assert describe(Result(-1.2345, math.nan)) == "loss -1.234, alignment unknown"
