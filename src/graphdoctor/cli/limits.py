"""The options that `run` and `report` share: what to look at, and what makes them fail."""

from collections.abc import Callable
from typing import Any

import click

from graphdoctor.errors import GraphdoctorError
from graphdoctor.model import Report
from graphdoctor.model.words import printable
from graphdoctor.recording import Selection
from graphdoctor.rules.registry import selected_rules
from graphdoctor.verdict import RETRACE, Allowance, broken, without_wildcards

OPTIONS = (
    click.option(
        "--include",
        multiple=True,
        metavar="GLOB",
        help="Report functions in these files only, also where they are installed.",
    ),
    click.option("--exclude", multiple=True, metavar="GLOB", help="Report no function in these files."),
    click.option(
        "--warmup",
        type=click.IntRange(min=0),
        default=0,
        metavar="N",
        help="The first N traces of each function do not count.",
    ),
    click.option(
        "--fail-on",
        multiple=True,
        metavar="WHAT",
        help="Exit with 1 when this was found: `retrace`, a rule (GD101) or several (GD1xx).",
    ),
    click.option(
        "--max-traces",
        type=click.IntRange(min=0),
        metavar="N",
        help="Exit with 1 when a function was traced more often.",
    ),
)


def limits(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the options; it receives `selection` and `allowance`."""

    def limited(
        *,
        include: tuple[str, ...],
        exclude: tuple[str, ...],
        warmup: int,
        fail_on: tuple[str, ...],
        max_traces: int | None,
        **others: Any,
    ) -> Any:
        chosen = tuple(part.strip() for value in fail_on for part in value.split(",") if part.strip())
        _refuse_unknown(chosen)
        return command(
            selection=Selection(include=include, exclude=exclude, warmup=warmup),
            allowance=Allowance(fail_on=chosen, max_traces=max_traces, warmup=warmup),
            **others,
        )

    limited.__doc__ = command.__doc__
    for option in reversed(OPTIONS):
        limited = option(limited)
    limited.__click_params__ += getattr(command, "__click_params__", [])  # type: ignore[attr-defined]
    return limited


def _refuse_unknown(chosen: tuple[str, ...]) -> None:
    for one in chosen:
        rule = without_wildcards(one)
        if one != RETRACE and not selected_rules((rule.upper(), rule), ()):
            raise GraphdoctorError(f"--fail-on {one}: no rule is called so; `graphdoctor rule` lists them")


def verdict(report: Report, allowance: Allowance) -> int:
    """0, or 1 after saying on standard error what is not allowed; 2 where nothing allows a judgement.

    What was seen is seen, also on half the evidence; that nothing else happened needs all of it.
    """
    failures = list(broken(report, allowance))
    for failure in failures:
        click.echo(f"graphdoctor: not allowed: {printable(failure)}", err=True)
    if failures or report.complete:
        return 1 if failures else 0
    remarks = report.run.remarks if report.run is not None else ()
    return not_judged("; ".join(remarks) or "not everything could be looked at", allowance)


def not_judged(reason: str, allowance: Allowance) -> int:
    """2 after saying why nothing can be allowed; 0 where nothing was forbidden."""
    if not allowance.asks:
        return 0
    click.echo(f"graphdoctor: not judged: {printable(reason)}", err=True)
    return 2
