"""A report and what a project asks for → what is shown, and what breaks the limits."""

import re
from collections.abc import Iterable, Iterator

import msgspec

from graphdoctor.config import Config
from graphdoctor.errors import GraphdoctorError
from graphdoctor.model import Finding, FunctionSummary, Level, Report, Severity, Threshold
from graphdoctor.model.words import count

RETRACE = "retrace"
WILDCARDS = re.compile(r"x+$", re.IGNORECASE)


class Allowance(msgspec.Struct, frozen=True, kw_only=True):
    """`fail_on` holds `retrace`, rule ids, prefixes (`GD1`, `GD1xx`) or names; `max_traces` is per function.

    The first `warmup` traces of each function do not count.
    """

    fail_on: tuple[str, ...] = ()
    max_traces: int | None = None
    warmup: int = 0

    def __post_init__(self) -> None:
        if self.max_traces is not None and self.max_traces < 0:
            raise GraphdoctorError(f"max_traces must be 0 or more, not {self.max_traces}")

    @property
    def asks(self) -> bool:
        """Whether anything is forbidden at all."""
        return bool(self.fail_on) or self.max_traces is not None


def threshold(
    config: Config,
    *,
    min_confidence: str | None = None,
    fail_severity: str | None = None,
    everything: bool = False,
) -> Threshold:
    """What to show: as the project's configuration says, unless the command line says otherwise."""
    return Threshold(
        min_confidence=Level(min_confidence or config.min_confidence),
        fail_severity=Severity(fail_severity or config.fail_severity),
        everything=everything,
    )


def without_wildcards(rule: str) -> str:
    """`GD1` for `GD1xx`; names stay as they are."""
    return WILDCARDS.sub("", rule) if rule.upper().startswith("GD") else rule


def broken(report: Report, allowance: Allowance) -> Iterator[str]:
    """One sentence for each thing that is not allowed."""
    for function in (each for each in report.functions if not each.foretold):
        yield from _too_many_traces(function, allowance)
        if RETRACE in allowance.fail_on:
            yield from _retraced(function)
    rules = tuple(without_wildcards(rule) for rule in allowance.fail_on if rule != RETRACE)
    for finding in report.findings:
        if rules and _is_one_of(finding, rules):
            yield f"{finding.path}:{finding.line}: {finding.rule} {finding.name}: {finding.message}"


def _too_many_traces(function: FunctionSummary, allowance: Allowance) -> Iterator[str]:
    counted = max(0, function.counted_traces - allowance.warmup)
    if allowance.max_traces is not None and counted > allowance.max_traces:
        after = f" after the first {allowance.warmup}" if allowance.warmup else ""
        yield (
            f"{function.path}:{function.line}: `{function.name}` was traced {count(counted, 'time')}{after}, "
            f"allowed are {allowance.max_traces}"
        )


def _retraced(function: FunctionSummary) -> Iterator[str]:
    causes = [cause for cause in function.causes if not cause.benign]
    for cause in causes[:1]:
        axis = "" if cause.axis is None else f" axis {cause.axis}"
        argument = f"`{cause.argument}`{axis}: " if cause.argument else ""
        yield (
            f"{function.path}:{function.line}: `{function.name}` was traced again: "
            f"{argument}now {cause.now}, before {cause.before}"
        )


def _is_one_of(finding: Finding, rules: Iterable[str]) -> bool:
    return any(finding.rule.startswith(rule.upper()) or finding.name == rule for rule in rules)
