"""What `fix` proved, in words."""

import dataclasses
from collections.abc import Iterable, Iterator

from graphdoctor.model.fix_result import Compared, Cure, Measured, Mended, Verdict
from graphdoctor.model.words import count, duration, printable

MOST_LEFT_OUT = 5
AGAINST = {
    "original": "",
    "eager": " as its eager run",
    "corrected": " as its own eager run (the original is wrong eagerly, too: see whether the new values are"
    " the ones you mean)",
    "start": " as far as the original came (its eager run dies, too)",
}


def headline(cure: Cure) -> str:
    """One line: the edits, the figures before and after, and what is the same."""
    if not cure.has_edits or cure.after is None:
        return f"{printable(cure.program)}: {_without_cure(cure)}"
    files = ", ".join(map(printable, cure.edited))
    parts = [count(len(cure.kept), "edit"), *_figures(cure.before, cure.after), sameness(cure)]
    if cure.verdict is Verdict.CONSISTENT:
        parts.append(f"{cure.verdict.value}: two runs of the original compute different things")
    return f"{files}: {' · '.join(parts)}"


def _figures(before: Measured, after: Measured) -> Iterator[str]:
    if before.error:
        yield f"{printable(before.error.partition(':')[0], 60)} → runs"
    yield f"{count(before.traces, 'trace')} → {after.traces}"
    if before.compilations or after.compilations:
        yield f"{count(before.compilations, 'compilation')} → {after.compilations}"
    yield f"{duration(before.seconds)} → {duration(after.seconds)}"


def sameness(cure: Cure) -> str:
    """What was compared, and how it came out."""
    if not any(one.number for one in cure.compared if one.aspect != "exit code"):
        if cure.reference == "start":
            return "nothing to compare with: its eager run dies, too"
        return "it prints and returns nothing that could be compared"
    told = [one for one in cure.compared if one.aspect != "exit code" and one.number]
    same = ", ".join(f"same {one.aspect}" for one in told if not one.random)
    by_chance = [one.aspect for one in told if one.random]
    largest = max((one.largest for one in cure.compared), default=0.0)
    figure = f" (largest difference {largest:.2g}{_allowed(cure, largest)})"
    against = AGAINST[cure.reference]
    text = f"{same}{against}{figure}" if same else ""
    if by_chance:
        run = "with another seed" if cure.repeats else "two runs of the original"
        random = f"{' and '.join(by_chance)} no further apart than {run}"
        text = f"{text}, {random}" if text else random
    return text


def _allowed(cure: Cure, largest: float) -> str:
    return f", allowed {cure.tolerance:g} of the value" if largest else ""


def _without_cure(cure: Cure) -> str:
    if cure.verdict is Verdict.CLEAN:
        return "nothing was found, there is nothing to mend"
    if cure.verdict is Verdict.NONE:
        return (
            f"{count(len(cure.left), 'finding')}, and no edit for {'it' if len(cure.left) == 1 else 'them'}"
        )
    if cure.verdict is Verdict.FAILED:
        return "no edit stood the test"
    return "nothing could be compared"


def render_cure(cure: Cure) -> str:
    """Headline, diff, and what was left out and why."""
    lines = [headline(cure), *map(printable, cure.diff.splitlines())]
    for title, told in sections(cure):
        lines += [f"{title}:", *(f"  {line}" for line in told)]
    lines += [f"Note: {printable(note)}" for note in cure.notes]
    return "\n".join(lines) + "\n"


def sections(cure: Cure) -> list[tuple[str, list[str]]]:
    """What was mended, tried and left, under titles; none that would be empty."""
    found = [
        ("Mended", [_told(one) for one in cure.kept]),
        (
            "Where the original had no result",
            [f"{one.aspect}: {printable(one.text)}" for one in cure.compared if one.filled],
        ),
        ("What had to hold, and does", [printable(one) for one in cure.holds]),
        (
            "Left out of the comparison",
            _first(dict.fromkeys(printable(text) for one in cure.compared for text in one.left_out)),
        ),
        ("Tried and left out", [_told(one) for one in cure.mended if one.reason]),
        ("Still found", [_told(one) for one in cure.left]),
    ]
    return [(title, lines) for title, lines in found if lines]


def _first(texts: Iterable[str]) -> list[str]:
    """Some of the texts, and how many there are beside these."""
    shown = list(texts)
    more = len(shown) - MOST_LEFT_OUT
    return [*shown[:MOST_LEFT_OUT], *([f"and {count(more, 'other')}"] if more > 0 else [])]


def _told(one: Mended) -> str:
    title = f" · {printable(one.title)}" if one.title else ""
    reason = f": {printable(one.reason, 300)}" if one.reason else ""
    cell = f" cell {one.cell}" if one.cell is not None else ""
    return f"{printable(one.path)}{cell}:{one.line} {one.rule} {one.name}{title}{reason}"


@dataclasses.dataclass(frozen=True)
class Proof:
    """The cure as a page shows it: rows of tables, lines of a diff."""

    headline: str
    figures: tuple[tuple[str, str, str], ...]
    compared: tuple[tuple[str, str, str], ...]
    diff: tuple[str, ...]
    sections: list[tuple[str, list[str]]]


def proof(cure: Cure) -> Proof:
    """What a page needs."""
    before, after = cure.before, cure.after or cure.before
    figures = (
        ("ends with", _end(before), _end(after)),
        ("traces", f"{before.traces:,}", f"{after.traces:,}"),
        ("compilations by XLA", f"{before.compilations:,}", f"{after.compilations:,}"),
        ("time since TensorFlow was imported", duration(before.seconds), duration(after.seconds)),
    )
    compared = tuple((one.aspect, f"{one.number:,}", _result(one)) for one in cure.compared)
    return Proof(headline(cure), figures, compared, tuple(cure.diff.splitlines()), sections(cure))


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
