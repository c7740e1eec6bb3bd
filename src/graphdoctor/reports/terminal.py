"""Findings for people: readable at 80 columns, with and without colour."""

import io
import textwrap

from rich.console import Console
from rich.text import Text

from graphdoctor.model import Finding, Fix, FunctionSummary, Level, Observed, Report, RunDetails, Severity
from graphdoctor.model.words import count, duration, printable
from graphdoctor.reports.excerpt import excerpt
from graphdoctor.reports.lines import confidence_text
from graphdoctor.reports.places import reported_once
from graphdoctor.reports.summary import summary

STYLES = {
    Severity.ERROR: "bold red",
    Severity.WRONG: "bold magenta",
    Severity.SLOW: "bold yellow",
    Severity.NOTE: "bold cyan",
}
MOST_FUNCTIONS = 12
LONGEST_ROW, SHORTEST_PLACE = 42, 14
LONGEST_PATH = 300
# What costs less than so much, or than so much of the run, is reported in one line beside what costs more.
LIGHT_SECONDS, LIGHT_SHARE = 0.05, 0.01
LEAST_OPTIMISING, OPTIMISING_SHARE = 0.05, 0.05
MOST_FOLDED = 6


def render_plain(report: Report, width: int = 80) -> str:
    """The report as plain text."""
    stream = io.StringIO()
    print_report(report, plain_console(stream, width))
    return stream.getvalue()


def plain_console(stream: io.StringIO, width: int = 80) -> Console:
    """A console that writes plain text to a stream, also inside a notebook, where rich would display it."""
    return Console(
        file=stream, width=width, no_color=True, highlight=False, force_jupyter=False, force_terminal=False
    )


def print_report(report: Report, console: Console, *, explain: bool = False) -> None:
    """Print all findings, then what was traced; `explain` adds why each function counts as traced."""
    place = report.details or RunDetails(directory="")
    shown, light = by_weight(report)
    for finding, others in reported_once(shown):
        for line in render_finding(finding, others, console.width, explain=explain, place=place):
            console.print(line, soft_wrap=True)
        console.print()
    if light:
        console.print(_folded(light, console.width), soft_wrap=True)
        console.print()
    for line in _function_table(report):
        console.print(line, soft_wrap=True)
    console.print(summary(report), style="bold", soft_wrap=True)


def by_weight(report: Report) -> tuple[list[Finding], list[Finding]]:
    """The findings to tell in full, and those that cost next to nothing beside them."""
    least = max(LIGHT_SECONDS, LIGHT_SHARE * report.run.seconds) if report.run else 0.0

    def is_light(finding: Finding) -> bool:
        seen = finding.observed is not None and finding.observed.traces > 0
        costs = finding.observed.seconds if finding.observed else 0.0
        return seen and costs < least and finding.severity in (Severity.SLOW, Severity.NOTE)

    shown = [finding for finding in report.findings if not is_light(finding)]
    heavy = any(finding.observed and finding.observed.seconds >= least for finding in shown)
    if not heavy:  # light, but there is nothing else
        return list(report.findings), []
    return shown, [finding for finding in report.findings if is_light(finding)]


def _folded(light: list[Finding], width: int) -> Text:
    """All that is light in one line: rules and places, as many as fit into a few."""
    seconds = sum(finding.observed.seconds for finding in light if finding.observed)
    places = [f"{f.rule} {printable(f.path, LONGEST_PATH)}:{f.line}" for f in light[:MOST_FOLDED]]
    more = f" and {len(light) - MOST_FOLDED} more" if len(light) > MOST_FOLDED else ""
    text = f"{count(len(light), 'light finding')} ({duration(seconds)} in all): {', '.join(places)}{more}"
    return Text(
        "\n".join(textwrap.wrap(text, max(40, width), subsequent_indent="  ", break_on_hyphens=False))
    )


def render_finding(
    finding: Finding,
    others: tuple[Finding, ...] = (),
    width: int = 80,
    *,
    explain: bool = False,
    place: RunDetails | None = None,
) -> list[Text]:
    """Place, rule, message, the line with a caret, the other places of which the same holds, and the fix."""
    head = Text()
    cell = f"cell {finding.cell}:" if finding.cell is not None else ""
    head.append(f"{printable(finding.path, LONGEST_PATH)}:{cell}{finding.line}:{finding.column}")
    head.append(f" {finding.severity.value} {finding.rule}", STYLES[finding.severity])
    head.append(f" {finding.name}")
    if finding.observed is not None:
        figures = _figures(finding.observed)
        head.append(f"  (observed: {figures})" if figures else "  (observed)", "dim")
    lines = [head]
    wrapped = textwrap.wrap(printable(finding.message), max(40, width - 2), break_on_hyphens=False)
    lines += [Text(f"  {line}") for line in wrapped]
    reasons = confidence_text(finding)
    if reasons:
        lines += [Text(f"  {line}", "dim") for line in textwrap.wrap(printable(reasons), max(40, width - 2))]
    directory, masked = (place.directory, place.redacted) if place is not None else ("", False)
    lines += [Text(line, "dim") for line in excerpt(finding, _remark(finding), width, directory, masked)]
    lines += [Text(line, "dim") for line in _also(others, width)]
    lines += [
        Text(printable(f"  see {related.path}:{related.line}: {related.message}"), "dim")
        for related in finding.related
    ]
    if (
        explain or finding.confidence.level is not Level.HIGH or finding.certainty is not None
    ):  # what recordings tell has its chain, never a long one
        lines += [
            Text(printable(f"  {'then ' if number else ''}{step.message} ({step.path}:{step.line})"), "dim")
            for number, step in enumerate(finding.reached)
        ]
    if finding.fix is not None:
        lines.append(_fix_line(finding.fix))
    return lines


def _also(others: tuple[Finding, ...], width: int) -> list[str]:
    """`also at 14:5, 21:9`."""
    if not others:
        return []
    places = f"also at {', '.join(f'{other.line}:{other.column}' for other in others)}"
    return textwrap.wrap(places, max(40, width - 2), initial_indent="  ", subsequent_indent="    ")


def _figures(observed: Observed) -> str:
    extra = [count(observed.traces, "extra trace")] if observed.traces else []
    failed = [count(observed.failed, "failed trace")] if observed.failed else []
    calls = [count(observed.calls, "call")] if observed.calls else []
    seconds = [duration(observed.seconds)] if observed.seconds or extra or failed else []
    return ", ".join([*extra, *failed, *calls, *seconds, *_optimising(observed)])


def _optimising(observed: Observed) -> list[str]:
    """What the new graphs cost beside their traces, where it counts."""
    if observed.optimising < max(LEAST_OPTIMISING, OPTIMISING_SHARE * observed.seconds):
        return []
    return [f"then {duration(observed.optimising)} to optimise the graphs"]


def _remark(finding: Finding) -> str:
    """What stands beside the caret: the values of the argument at fault."""
    differences = finding.observed.differences if finding.observed else ()
    values = [
        f"{'' if d.axis is None else f'axis {d.axis}: '}now {d.now}, before {d.before}"
        for d in differences
        if d.argument is not None and d.argument == (finding.argument or d.argument)
    ]
    return printable("; ".join(values))


def _fix_line(fix: Fix) -> Text:
    line = Text(f"  fix ({fix.safety.value}): ", "green")
    line.append(printable(fix.title))
    return line


def _function_table(report: Report) -> list[Text]:
    """One line per traced function, the costliest first; not for what nobody has run."""
    if not report.functions or report.functions[0].foretold:
        return []
    rows = [("function", "calls", "traces", "seconds", "operations")]
    rows += [_row(function) for function in report.functions[:MOST_FUNCTIONS]]
    widths = [max(len(row[column]) for row in rows) for column in range(5)]
    lines = [
        Text(
            "  "
            + row[0].ljust(widths[0])
            + "".join("  " + cell.rjust(w) for cell, w in zip(row[1:], widths[1:], strict=True)),
            "dim" if number == 0 else "",
        )
        for number, row in enumerate(rows)
    ]
    lines += _benign_lines(report)
    hidden = len(report.functions) - MOST_FUNCTIONS
    if hidden > 0:
        lines.append(Text(f"  … and {count(hidden, 'more function')}", "dim"))
    return [*lines, Text()]


def _benign_lines(report: Report) -> list[Text]:
    """What was traced again for good reasons, so that nobody wonders about the counts above."""
    lines = []
    for function in report.functions[:MOST_FUNCTIONS]:
        labels: dict[str, tuple[int, float]] = {}
        for cause in function.causes:
            if cause.label:
                labels[cause.label] = max(labels.get(cause.label, (0, 0.0)), (cause.count, cause.seconds))
        for label, (number, seconds) in labels.items():
            lines.append(
                Text(f"  {function.name}: {count(number, 'trace')} more, {duration(seconds)}: {label}", "dim")
            )
    return lines


def _row(function: FunctionSummary) -> tuple[str, str, str, str, str]:
    return (
        _named(function),
        "-" if function.calls is None else str(function.calls),
        str(function.traces),
        f"{function.seconds:.2f}",
        str(function.operations),
    )


def _named(function: FunctionSummary) -> str:
    """The name and the place; of a long path the end, of a long name its beginning, never nothing."""
    name, place = printable(function.name), printable(f"{function.path}:{function.line}")
    if len(name) > LONGEST_ROW - SHORTEST_PLACE:
        name = _cut(name, max(LONGEST_ROW - SHORTEST_PLACE, LONGEST_ROW - 1 - len(place)))
    room = LONGEST_ROW - 1 - len(name)
    return f"{name} {place if len(place) <= room else f'…{place[1 - room :]}'}"


def _cut(name: str, room: int) -> str:
    """`Trainer.…update_step`: the class, and as much of the method's end as there is room for."""
    if len(name) <= room:
        return name
    first = name.partition(".")[0]
    head = first[: room // 3] if "." in name else ""
    return f"{head}…{name[len(head) + 1 - room :]}"
