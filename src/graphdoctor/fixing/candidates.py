"""Findings of a run → the edits to try, and what is still found after them."""

import dataclasses
import os
from collections import Counter
from collections.abc import Callable, Iterable, Mapping

from msgspec.structs import replace

from graphdoctor.errors import EditError, SourceError
from graphdoctor.fixing.cells import cell_at, notebook_of
from graphdoctor.fixing.copies import Place
from graphdoctor.fixing.fixing import edited
from graphdoctor.model import Edit, Finding, Fix, Report, Safety, Severity
from graphdoctor.model.cure import Mended

# A comment that silences nothing, or a file that is not Python: no matter of what a program computes.
NOT_COMPUTED = ("GD0",)
FAR = 4  # so many times fewer traces are a cure, too


Read = Callable[[str], str]


@dataclasses.dataclass(frozen=True)
class Choice:
    """One fix of a finding, with edits by paths relative to the root; `told` is how a report names it."""

    finding: Finding
    fix: Fix
    edits: tuple[Edit, ...]
    told: Mended


Candidate = tuple[Choice, ...]  # the ways to mend one finding, the preferred one first


def candidates_of(report: Report, place: Place, only: tuple[str, ...], text: Read) -> list[Candidate]:
    """What can be edited, by finding; the costliest findings come first. `text` gives what was judged."""
    found = []
    for finding in report.findings:
        if finding.rule.startswith(NOT_COMPUTED) or not _is_asked_for(finding, only):
            continue
        if finding.severity is Severity.NOTE and not only:
            continue
        choices = tuple(
            Choice(
                finding,
                fix,
                tuple(replace(edit, path=in_root(edit.path, place)) for edit in fix.edits),
                told(finding, fix.title, place, text),
            )
            for fix in finding.fixes
            if fix.safety is not Safety.MANUAL
        )
        if choices:
            found.append(choices)
    return found


def told(finding: Finding, title: str, place: Place, text: Read) -> Mended:
    """How a report names a finding of a trial: in a notebook by its cell."""
    path, cell, line = notebook_of(finding.path), None, finding.line
    if path != finding.path:
        cell, line = cell_at(text(in_root(finding.path, place)), finding.line)
    return Mended(rule=finding.rule, name=finding.name, path=path, line=line, cell=cell, title=title)


def _is_asked_for(finding: Finding, only: tuple[str, ...]) -> bool:
    return not only or any(finding.rule.startswith(one.upper()) or finding.name == one for one in only)


def in_root(path: str, place: Place) -> str:
    """A path of a finding, relative to the root that is copied."""
    return os.path.relpath(os.path.join(place.directory, path), place.root)


def apply(texts: Mapping[str, str], choices: Iterable[Choice], read: Read) -> dict[str, str]:
    """The texts with the edits of all choices; EditError when they collide or leave the root.

    `read` gives the text of another file of the root.
    """
    chosen = list(choices)
    known = dict(texts)
    for path in {edit.path for choice in chosen for edit in choice.edits} - known.keys():
        if path.startswith(".."):
            raise EditError(f"{path} does not belong to the program")
        try:
            known[path] = read(path)
        except SourceError as error:
            raise EditError(str(error)) from error
    return edited(known, [edit for choice in chosen for edit in choice.edits])


def together(texts: Mapping[str, str], candidates: Iterable[Candidate], read: Read) -> list[Choice]:
    """The preferred fixes that can be applied at once."""
    chosen: list[Choice] = []
    for first, *_ in candidates:
        try:
            apply(texts, [*chosen, first], read)
        except EditError:
            continue
        chosen.append(first)
    return chosen


Matter = tuple[str, str, str]


def matter(finding: Finding) -> Matter:
    """What a finding is about, when lines have moved and functions have been moved, or split, by edits."""
    function = finding.function.name.rpartition(".")[2] if finding.function else ""
    return finding.rule, os.path.normpath(finding.path), function.lstrip("_").removeprefix("graph_")


def matters(report: Report | None) -> Counter[Matter]:
    """How often each matter is found, notes left out."""
    findings = report.findings if report else ()
    return Counter(matter(finding) for finding in findings if finding.severity is not Severity.NOTE)


def still_found(chosen: Iterable[Choice], before: Report | None, after: Report | None) -> list[Finding]:
    """The findings whose edits did not make them go, nor cost far less."""
    was, now = matters(before), matters(after)
    wanted = Counter(matter(choice.finding) for choice in chosen)
    return [
        choice.finding
        for choice in {matter(choice.finding): choice for choice in chosen}.values()
        if now[matter(choice.finding)] > max(0, was[matter(choice.finding)] - wanted[matter(choice.finding)])
        and not _costs_far_less(choice.finding, after)
    ]


def _costs_far_less(finding: Finding, after: Report | None) -> bool:
    """Whether what is only slow is traced a few times now: once for each object, and not for each call."""
    same = [each for each in (after.findings if after else ()) if matter(each) == matter(finding)]
    was = finding.observed.traces if finding.observed is not None else 0
    now = sum(each.observed.traces if each.observed is not None else was for each in same)
    return finding.severity is Severity.SLOW and bool(same) and 0 < now * FAR <= was


def new_findings(before: Report | None, after: Report | None) -> list[Finding]:
    """What is found after the edits, by rules that found less before."""
    was = Counter(rule for rule, *_ in matters(before).elements())
    now = Counter(rule for rule, *_ in matters(after).elements())
    more = {rule for rule, times in now.items() if times > was[rule]}
    findings = after.findings if after else ()
    known = matters(before)
    return [
        f for f in findings if f.rule in more and f.severity is not Severity.NOTE and not known[matter(f)]
    ]


def next_of_its_kind(
    before: Report | None, after: Report | None, was: Read, now: Read, *, died: bool
) -> list[Finding]:
    """What a rule finds in the edited program on a line that is as it was, and did not find there before.

    A second step without a gradient, say, comes to light when the first one has one. In a program that died
    also on a line that was edited: what failed there may be the next part of it.
    """
    told = {_line_of(finding, was) for finding in (before.findings if before else ())}
    findings = [f for f in (after.findings if after else ()) if f.severity is not Severity.NOTE]
    lines = [(finding, _line_of(finding, now)) for finding in findings]
    return [
        finding
        for finding, line in lines
        if line not in told and line[2] and (died or line[2] in _lines(finding.path, was))
    ]


def _line_of(finding: Finding, read: Read) -> tuple[str, str, str]:
    lines = _lines(finding.path, read)
    text = lines[finding.line - 1] if finding.line <= len(lines) else ""
    return finding.rule, finding.path, text


def _lines(path: str, read: Read) -> list[str]:
    try:
        return [line.strip() for line in read(path).splitlines()]
    except SourceError:
        return []
