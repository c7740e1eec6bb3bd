"""What `fix` proved, in words."""

from collections.abc import Iterator

from graphdoctor.model.cure import Compared, Cure, Measured, Mended, Verdict
from graphdoctor.model.words import count, duration, printable

AGAINST = {
    "original": "",
    "eager": " as its eager run",
    "start": " as far as the original came (its eager run dies, too)",
}


def headline(cure: Cure) -> str:
    """One line: the edits, the figures before and after, and what is the same."""
    if not cure.is_proven or cure.after is None:
        return f"{printable(cure.program)}: {_without_cure(cure)}"
    files = ", ".join(map(printable, cure.edited))
    parts = [count(len(cure.kept), "edit"), *_figures(cure.before, cure.after), sameness(cure)]
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
    told = [
        one for one in cure.compared if one.aspect != "exit code" and (one.number or one.aspect == "output")
    ]
    same = ", ".join(f"same {one.aspect}" for one in told if not one.random)
    by_chance = [one.aspect for one in told if one.random]
    largest = max((one.largest for one in cure.compared), default=0.0)
    figure = f" (largest difference {largest:.2g}{_allowed(cure, largest)})"
    against = AGAINST[cure.reference]
    text = f"{same}{against}{figure}" if same else ""
    if by_chance:
        random = f"{' and '.join(by_chance)} no further apart than with another seed"
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
    lines = [headline(cure)]
    if cure.diff:
        lines += [printable(line) for line in cure.diff.splitlines()]
    lines += section("Mended", cure.kept)
    lines += section_of(
        "Where the original had no result", [_filled(one) for one in cure.compared if one.filled]
    )
    lines += section("Tried and left out", [one for one in cure.mended if one.reason])
    lines += section("Still found", cure.left)
    lines += [f"Note: {printable(note)}" for note in cure.notes]
    return "\n".join(lines) + "\n"


def _filled(one: Compared) -> str:
    return f"{one.aspect}: {printable(one.text)}"


def section(title: str, mended: tuple[Mended, ...] | list[Mended]) -> list[str]:
    """Edits or findings under a title."""
    return section_of(title, [_told(one) for one in mended])


def section_of(title: str, lines: list[str]) -> list[str]:
    """Lines under a title; nothing without them."""
    return [f"{title}:", *(f"  {line}" for line in lines)] if lines else []


def _told(one: Mended) -> str:
    title = f" · {printable(one.title)}" if one.title else ""
    reason = f": {printable(one.reason, 300)}" if one.reason else ""
    return f"{printable(one.path)}:{one.line} {one.rule} {one.name}{title}{reason}"
