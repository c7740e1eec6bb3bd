"""Findings of a run → the edits to try, and what is still found after them."""

import dataclasses
import os
from collections import Counter
from collections.abc import Callable, Iterable, Mapping

from msgspec.structs import replace

from graphdoctor.errors import EditError, SourceError
from graphdoctor.fixing.copies import Place
from graphdoctor.fixing.fixing import edited
from graphdoctor.fixing.notebook_program import cell_at, notebook_of
from graphdoctor.model import Edit, Finding, Fix, Report, Safety, Severity
from graphdoctor.model.fix_result import TriedFix
from graphdoctor.model.style import Style
from graphdoctor.rules.registry import all_rules
from graphdoctor.rules.repair import Repair

# A comment that suppresses nothing, or a file that is not Python: the program computes the same.
NOT_COMPUTED = ("GD0",)
FAR = 4  # with so many times fewer traces a finding counts as fixed


Read = Callable[[str], str]


@dataclasses.dataclass(frozen=True)
class Choice:
    """One fix of a finding, with edits by paths relative to the root; `reported` is how a report names it."""

    finding: Finding
    fix: Fix
    edits: tuple[Edit, ...]
    reported: TriedFix


Candidate = tuple[Choice, ...]  # the fixes of one finding, the preferred one first


def candidates_of(
    report: Report, place: Place, only: tuple[str, ...], text: Read, *, notes: bool = False
) -> list[Candidate]:
    """The fixes of each finding, the costliest findings first. `text` gives the texts that were checked.

    `notes`: findings that reports do not show are included, if the run observed them and their rule states
    what a fix changes.
    """
    found = []
    for finding in report.findings:
        if finding.rule.startswith(NOT_COMPUTED) or not _is_asked_for(finding, only):
            continue
        if not finding.is_shown and not only and not (notes and _is_observed_defect(finding)):
            continue
        choices = tuple(
            Choice(
                finding,
                fix,
                _placed(fix, place, text),
                reported_fix(finding, fix.title, place, text),
            )
            for fix in finding.fixes
            if fix.safety is not Safety.MANUAL
        )
        if choices:
            found.append(choices)
    return found


def _placed(fix: Fix, place: Place, text: Read) -> tuple[Edit, ...]:
    """The edits by paths relative to the root, in the style of their files."""
    edits = [replace(edit, path=in_root(edit.path, place)) for edit in fix.edits]
    try:
        styles = {path: Style(text(path)) for path in {edit.path for edit in edits}}
    except SourceError:  # outside the root: `apply` refuses it
        return tuple(edits)
    return tuple(styles[edit.path].of(edit) for edit in edits)


def reported_fix(finding: Finding, title: str, place: Place, text: Read) -> TriedFix:
    """A finding of a trial as a report names it: in a notebook by its cell."""
    path, cell, line = notebook_of(finding.path), None, finding.line
    if path != finding.path:
        cell, line = cell_at(text(in_root(finding.path, place)), finding.line)
    return TriedFix(rule=finding.rule, name=finding.name, path=path, line=line, cell=cell, title=title)


def _is_observed_defect(finding: Finding) -> bool:
    """Whether the run observed it, and its rule states that its fix changes what the program does."""
    rule = next((one for one in all_rules() if one.id == finding.rule), None)
    return rule is not None and rule.repair != Repair() and finding.observed is not None


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


Identity = tuple[str, str, str]


def identity(finding: Finding) -> Identity:
    """What identifies a finding after edits that moved lines, or moved or split functions."""
    function = finding.function.name.rpartition(".")[2] if finding.function else ""
    return finding.rule, os.path.normpath(finding.path), function.lstrip("_").removeprefix("graph_")


def identities(report: Report | None, *, notes: bool = False) -> Counter[Identity]:
    """How many findings have each identity, with notes or without."""
    findings = report.findings if report else ()
    return Counter(identity(finding) for finding in findings if finding.is_shown or notes)


def still_found(chosen: Iterable[Choice], before: Report | None, after: Report | None) -> list[Finding]:
    """The findings that are still there after their edits, and do not cost far less."""
    chosen = list(chosen)
    notes = any(not choice.finding.is_shown for choice in chosen)
    was, now = identities(before, notes=notes), identities(after, notes=notes)
    wanted = Counter(identity(choice.finding) for choice in chosen)
    return [
        choice.finding
        for choice in {identity(choice.finding): choice for choice in chosen}.values()
        if now[identity(choice.finding)]
        > max(0, was[identity(choice.finding)] - wanted[identity(choice.finding)])
        and not _costs_far_less(choice.finding, after)
    ]


def _costs_far_less(finding: Finding, after: Report | None) -> bool:
    """Whether a SLOW finding has far fewer traces now: one per object and not one per call."""
    same = [each for each in (after.findings if after else ()) if identity(each) == identity(finding)]
    was = finding.observed.traces if finding.observed is not None else 0
    now = sum(each.observed.traces if each.observed is not None else was for each in same)
    return finding.severity is Severity.SLOW and bool(same) and 0 < now * FAR <= was


def new_findings(before: Report | None, after: Report | None) -> list[Finding]:
    """What is found after the edits, by rules that found less before."""
    was = Counter(rule for rule, *_ in identities(before).elements())
    now = Counter(rule for rule, *_ in identities(after).elements())
    more = {rule for rule, times in now.items() if times > was[rule]}
    findings = after.findings if after else ()
    known = identities(before)
    return [f for f in findings if f.rule in more and f.is_shown and not known[identity(f)]]


def next_of_its_kind(
    before: Report | None, after: Report | None, was: Read, now: Read, *, died: bool
) -> list[Finding]:
    """What a rule finds in the edited program on a line that is as it was, and did not find there before.

    A second step without a gradient, say, comes to light when the first one has one. In a program that died
    also on a line that was edited: what failed there may be the next part of it.
    """
    known = {_line_of(finding, was) for finding in (before.findings if before else ())}
    findings = [f for f in (after.findings if after else ()) if f.is_shown]
    lines = [(finding, _line_of(finding, now)) for finding in findings]
    return [
        finding
        for finding, line in lines
        if line not in known and line[2] and (died or line[2] in _lines(finding.path, was))
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
