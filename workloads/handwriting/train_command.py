"""The command that trains: a progress bar with loss and alignment, TensorBoard with pictures."""

from contextlib import ExitStack
from pathlib import Path

import click
from msgspec.structs import replace

from workloads.handwriting.config import ARCHITECTURES, Architecture, find_config
from workloads.handwriting.line import Line


def _lines(iam: Path | None, own: tuple[Path, ...]) -> list[Line] | None:
    """The user's lines; nothing for the bundled ones."""
    from workloads.handwriting.iam import read_iam
    from workloads.handwriting.own_strokes import read_own_lines

    lines = read_iam(iam, skip_unknown=True) if iam else []
    for path in own:
        lines += read_own_lines(path)
    return lines or None


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("config", default="small")
@click.option(
    "--folder",
    type=click.Path(path_type=Path, file_okay=False),
    help="Where checkpoints and weights go; a training in it is resumed. [runs/CONFIG]",
)
@click.option("--architecture", type=click.Choice(ARCHITECTURES), help="Instead of the configuration's.")
@click.option("--steps", type=click.IntRange(1), help="How many, instead of the configuration's.")
@click.option(
    "--iam",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    help="Your copy of IAM-OnDB; lines with other characters than ASCII are left out.",
)
@click.option(
    "--own",
    type=click.Path(path_type=Path, exists=True),
    multiple=True,
    help="A JSON file of your own lines; may be given several times.",
)
@click.option("--xla/--no-xla", default=False, help="Compile the step; pays on long trainings.")
@click.option("--tensorboard/--no-tensorboard", default=True, show_default=True)
def main(
    config: str,
    folder: Path | None,
    architecture: Architecture | None,
    steps: int | None,
    iam: Path | None,
    own: tuple[Path, ...],
    xla: bool,
    tensorboard: bool,
) -> None:
    """Train CONFIG, on bundled lines unless others are given.

    CONFIG is tiny, small, paper, or a YAML file of yours (those are config_*.yaml beside this program).
    """
    from workloads.handwriting.train import train
    from workloads.handwriting.watching import Bar, Board, all_of

    folder = folder or Path("runs") / Path(config).stem
    try:
        chosen = find_config(config)
        settings = replace(chosen.training, steps=steps or chosen.training.steps)
        model = replace(chosen.model, architecture=architecture or chosen.model.architecture)
        lines = _lines(iam, own)
        with ExitStack() as stack:
            watchers = [stack.enter_context(Bar(settings.steps))]
            if tensorboard:
                watchers.append(stack.enter_context(Board(folder / "tensorboard")))
            trainer = train(model, settings, folder, all_of(watchers), lines, jit_compile=xla)
    except (ValueError, OSError) as error:
        raise click.ClickException(str(error)) from error
    if trainer.out_of_patience:
        click.echo(f"stopped at step {int(trainer.step)}: no better loss in {settings.patience} evaluations")
    click.echo(f'{folder}: now python -m workloads.handwriting "hello" --weights {folder}')
