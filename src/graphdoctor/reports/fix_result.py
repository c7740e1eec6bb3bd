"""What `fix` proved, in words."""

import dataclasses
from collections.abc import Iterable, Iterator

from graphdoctor.model.fix_result import Compared, FixResult, Measured, TriedFix, Verdict
from graphdoctor.model.words import count, duration, printable

MOST_LEFT_OUT = 5
AGAINST = {
    "original": "",
    "eager": " as its eager run",
    "corrected": " as its own eager run (the original is wrong eagerly, too: see whether the new values are"
    " the ones you mean)",
    "start": " as far as the original came (its eager run dies, too)",
}


def headline(result: FixResult) -> str:
    """One line: the edits, the figures before and after, and what is the same."""
    if not result.has_edits or result.after is None:
        return f"{printable(result.program)}: {_without_fix(result)}"
    files = ", ".join(map(printable, result.edited))
    parts = [count(len(result.kept), "edit"), *_figures(result.before, result.after), sameness(result)]
    if result.verdict is Verdict.CONSISTENT:
        parts.append(f"{result.verdict.value}: two runs of the original compute different things")
    return f"{files}: {' · '.join(parts)}"


def _figures(before: Measured, after: Measured) -> Iterator[str]:
    if before.error:
        yield f"{printable(before.error.partition(':')[0], 60)} → runs"
    yield f"{count(before.traces, 'trace')} → {after.traces}"
    if before.compilations or after.compilations:
        yield f"{count(before.compilations, 'compilation')} → {after.compilations}"
    yield f"{duration(before.seconds)} → {duration(after.seconds)}"


def sameness(result: FixResult) -> str:
    """What was compared, and how it came out."""
    if not any(one.number for one in result.compared if one.aspect != "exit code"):
        if result.reference == "start":
            return "nothing to compare with: its eager run dies, too"
        return "it prints and returns nothing that could be compared"
    shown = [one for one in result.compared if one.aspect != "exit code" and one.number]
    same = ", ".join(f"same {one.aspect}" for one in shown if not one.random)
    by_chance = [one.aspect for one in shown if one.random]
    largest = max((one.largest for one in result.compared), default=0.0)
    figure = f" (largest difference {largest:.2g}{_allowed(result, largest)})"
    against = AGAINST[result.reference]
    text = f"{same}{against}{figure}" if same else ""
    if by_chance:
        run = "with another seed" if result.repeats else "two runs of the original"
        random = f"{' and '.join(by_chance)} no further apart than {run}"
        text = f"{text}, {random}" if text else random
    return text


def _allowed(result: FixResult, largest: float) -> str:
    return f", allowed {result.tolerance:g} of the value" if largest else ""


def _without_fix(result: FixResult) -> str:
    if result.verdict is Verdict.CLEAN:
        return "nothing was found, there is nothing to fix"
    if result.verdict is Verdict.NONE:
        number = len(result.remaining)
        return f"{count(number, 'finding')}, and no edit for {'it' if number == 1 else 'them'}"
    if result.verdict is Verdict.FAILED:
        return "every edit was refused"
    return "nothing could be compared"


def render_fix_result(result: FixResult) -> str:
    """Headline, diff, and what was left out and why."""
    lines = [headline(result), *map(printable, result.diff.splitlines())]
    for title, entries in sections(result):
        lines += [f"{title}:", *(f"  {line}" for line in entries)]
    lines += [f"Note: {printable(note)}" for note in result.notes]
    return "\n".join(lines) + "\n"


def sections(result: FixResult) -> list[tuple[str, list[str]]]:
    """What was fixed, tried and still found, under titles; none that would be empty."""
    found = [
        ("Fixed", [_line_of(one) for one in result.kept]),
        (
            "Where the original had no result",
            [f"{one.aspect}: {printable(one.text)}" for one in result.compared if one.filled],
        ),
        ("What had to hold, and does", [printable(one) for one in result.holds]),
        (
            "Left out of the comparison",
            _first(dict.fromkeys(printable(text) for one in result.compared for text in one.left_out)),
        ),
        ("Tried and left out", [_line_of(one) for one in result.tried if one.reason]),
        ("Still found", [_line_of(one) for one in result.remaining]),
    ]
    return [(title, lines) for title, lines in found if lines]


def _first(texts: Iterable[str]) -> list[str]:
    """Some of the texts, and how many there are beside these."""
    shown = list(texts)
    more = len(shown) - MOST_LEFT_OUT
    return [*shown[:MOST_LEFT_OUT], *([f"and {count(more, 'other')}"] if more > 0 else [])]


def _line_of(one: TriedFix) -> str:
    title = f" · {printable(one.title)}" if one.title else ""
    reason = f": {printable(one.reason, 300)}" if one.reason else ""
    cell = f" cell {one.cell}" if one.cell is not None else ""
    return f"{printable(one.path)}{cell}:{one.line} {one.rule} {one.name}{title}{reason}"


@dataclasses.dataclass(frozen=True)
class Proof:
    """The result as a page shows it: rows of tables, lines of a diff."""

    headline: str
    figures: tuple[tuple[str, str, str], ...]
    compared: tuple[tuple[str, str, str], ...]
    diff: tuple[str, ...]
    sections: list[tuple[str, list[str]]]


def proof(result: FixResult) -> Proof:
    """What a page needs."""
    before, after = result.before, result.after or result.before
    figures = (
        ("ends with", _end(before), _end(after)),
        ("traces", f"{before.traces:,}", f"{after.traces:,}"),
        ("compilations by XLA", f"{before.compilations:,}", f"{after.compilations:,}"),
        ("time since TensorFlow was imported", duration(before.seconds), duration(after.seconds)),
    )
    compared = tuple((one.aspect, f"{one.number:,}", _result(one)) for one in result.compared)
    return Proof(headline(result), figures, compared, tuple(result.diff.splitlines()), sections(result))


def _end(measured: Measured) -> str:
    if measured.exit_code is None:
        return "stopped"
    return printable(measured.error, 80) or f"exit code {measured.exit_code}"


def _result(one: Compared) -> str:
    if not one.equal:
        return f"different: {printable(one.text)}"
    if one.random:
        return "no further apart than with another seed"
    return f"same, largest difference {one.largest:.2g}" + (", more than before" if one.filled else "")
