"""`graphdoctor plan`: the bucket lengths that cost least, and what they waste."""

from __future__ import annotations

import json
from pathlib import Path

import click

from graphdoctor.batching.errors import BatchingError
from graphdoctor.batching.histogram import LengthHistogram
from graphdoctor.batching.plan import OverlongPolicy, Plan, padding_share, shape
from graphdoctor.batching.planning import plan_buckets
from graphdoctor.batching.reading import read_lengths
from graphdoctor.reports.plan import render_svg, render_terminal


class PlanFailure(click.ClickException):
    """A message without a traceback, and the exit code of our own errors."""

    exit_code = 2


@click.command("plan")
@click.argument("lengths", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option(
    "--column",
    "columns",
    multiple=True,
    help="Header name or number; give two to plan text and mel together.",
)
@click.option("--buckets", type=click.IntRange(1), help="Exactly so many buckets (default: as many as pay).")
@click.option("--max-buckets", type=click.IntRange(1), default=16, show_default=True)
@click.option("--batch-size", type=click.IntRange(1), default=32, show_default=True)
@click.option("--epochs", type=click.IntRange(1), default=1, show_default=True)
@click.option(
    "--cost-per-trace",
    default="60",
    show_default=True,
    help="Mean steps that a trace or compilation costs; or seconds (30s) with --step-time.",
)
@click.option("--step-time", help="Seconds of a mean step (0.5s), measured without padding.")
@click.option(
    "--limit",
    type=click.IntRange(1),
    multiple=True,
    help="No bucket is longer; give one per column.",
)
@click.option(
    "--overlong",
    type=click.Choice(["error", "drop", "cut", "extend"]),
    default="error",
    show_default=True,
    help="What happens to examples beyond --limit.",
)
@click.option(
    "--multiple-of",
    type=click.IntRange(1),
    default=1,
    show_default=True,
    help="Bounds are multiples of this.",
)
@click.option(
    "-o",
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Also write the plan: .svg or .json.",
)
def plan_command(
    lengths: Path,
    columns: tuple[str, ...],
    buckets: int | None,
    max_buckets: int,
    batch_size: int,
    epochs: int,
    cost_per_trace: str,
    step_time: str | None,
    limit: tuple[int, ...],
    overlong: OverlongPolicy,
    multiple_of: int,
    output: Path | None,
) -> None:
    """Plan the padded lengths of batches from LENGTHS: .csv or .npy, one row per example."""
    try:
        if output is not None and output.suffix not in (".svg", ".json"):
            raise BatchingError(f"{output}: expected a name that ends in .svg or .json")
        histogram = read_lengths(lengths, columns)
        found = plan_buckets(
            histogram,
            buckets=buckets,
            max_buckets=max_buckets,
            batch_size=batch_size,
            epochs=epochs,
            cost_per_trace=_mean_steps(cost_per_trace, step_time),
            limit=limit or None,
            overlong=overlong,
            multiple_of=multiple_of,
        )
    except BatchingError as error:
        raise PlanFailure(str(error)) from None
    click.echo(_report(found, histogram))
    if buckets is None and len(found.buckets) == max_buckets < len(histogram):
        click.echo(f"\nmore than {max_buckets} buckets may cost still less: raise --max-buckets")
    if output is not None:
        _write(output, found, histogram)


def _mean_steps(cost: str, step_time: str | None) -> float:
    if not cost.endswith("s"):
        return _number("--cost-per-trace", cost)
    if step_time is None:
        raise BatchingError("--cost-per-trace in seconds needs --step-time, e.g. --step-time 0.5s")
    step = _number("--step-time", step_time.removesuffix("s"))
    if step <= 0:
        raise BatchingError(f"--step-time must be more than zero, got {step_time}")
    return _number("--cost-per-trace", cost.removesuffix("s")) / step


def _number(option: str, text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise BatchingError(f"{option} must be a number (60) or seconds (30s), got {text!r}") from None


def _report(found: Plan, histogram: LengthHistogram) -> str:
    plural = "bucket" if len(found.buckets) == 1 else "buckets"
    lines = [
        f"{len(found.buckets)} {plural}, {100 * padding_share(found.waste):.1f} % padding,"
        f" {found.cost:,.0f} mean steps in all ({found.method})",
        "",
        "padded to        examples",
    ]
    lines += [f"{shape(bucket.bound):<12} {bucket.examples:>12}" for bucket in found.buckets]
    lines += ["", "buckets   padding     mean steps"]
    lines += [
        f"{choice.buckets:>7} {100 * padding_share(choice.waste):>7.1f} % {choice.cost:>14,.0f}"
        + (" ←" if choice.cost == found.cost else "")
        for choice in found.choices
    ]
    if found.overlong:
        lines += ["", found.overlong.sentence(histogram.total)]
    if found.quantum > 1:
        lines += ["", f"lengths were counted in bins of {found.quantum}"]
    return "\n".join([*lines, "", render_terminal(found, histogram)])


def _write(output: Path, found: Plan, histogram: LengthHistogram) -> None:
    text = (
        render_svg(found, histogram)
        if output.suffix == ".svg"
        else json.dumps(found.as_dict(), indent=2) + "\n"
    )
    try:
        output.write_text(text, encoding="utf-8")
    except OSError as error:
        raise PlanFailure(f"{output} cannot be written: {error.strerror}") from None
    click.echo(f"\nwritten: {output}")
