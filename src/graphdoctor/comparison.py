"""Two reports → what changed between them."""

import msgspec

from graphdoctor.model import Finding, FunctionSummary, Report


class FunctionChange(msgspec.Struct, frozen=True, kw_only=True):
    """A function that was traced another number of times."""

    name: str
    traces_before: int
    traces_after: int
    seconds_before: float
    seconds_after: float


class Comparison(msgspec.Struct, frozen=True):
    """The functions whose number of traces changed, and the findings that are gone or new."""

    functions: tuple[FunctionChange, ...]
    gone: tuple[Finding, ...]
    new: tuple[Finding, ...]


def compare_reports(before: Report, after: Report) -> Comparison:
    """What changed from one report to the other; functions are matched by file and name."""
    known_before, known_after = _matters(before), _matters(after)
    return Comparison(
        functions=tuple(_function_changes(before, after)),
        gone=tuple(f for key, f in known_before.items() if key not in known_after),
        new=tuple(f for key, f in known_after.items() if key not in known_before),
    )


def _matters(report: Report) -> dict[tuple[object, ...], Finding]:
    """Findings by what they are about; lines move when a file is edited, so lines do not count."""
    return {
        (f.rule, f.path, f.function.name if f.function else f.line, f.argument): f for f in report.findings
    }


def _function_changes(before: Report, after: Report) -> list[FunctionChange]:
    first, second = _by_name(before), _by_name(after)
    changes = []
    for key in dict.fromkeys([*first, *second]):
        was, is_now = first.get(key, []), second.get(key, [])
        change = FunctionChange(
            name=key[1],
            traces_before=sum(f.traces for f in was),
            traces_after=sum(f.traces for f in is_now),
            seconds_before=sum(f.seconds for f in was),
            seconds_after=sum(f.seconds for f in is_now),
        )
        if change.traces_before != change.traces_after:
            changes.append(change)
    return changes


def _by_name(report: Report) -> dict[tuple[str, str], list[FunctionSummary]]:
    found: dict[tuple[str, str], list[FunctionSummary]] = {}
    for function in (each for each in report.functions if not each.foretold):
        found.setdefault((function.path, function.name), []).append(function)
    return found
