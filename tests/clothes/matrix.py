"""Every rule's examples in every clothing: what `check` finds in them."""

import dataclasses
import os
import pathlib
import tempfile
from collections.abc import Iterable, Sequence

from graphdoctor.config import Config
from graphdoctor.judging import check_paths
from graphdoctor.model import Finding, Severity
from graphdoctor.source.notebooks import notebook_cells
from tests.clothes.clothing import (
    Clothing,
    Files,
    dressed,
    first_lines,
    pairs_of_clothes,
    texts,
    trees,
)
from tests.ratcheting import all_examples


@dataclasses.dataclass(frozen=True)
class Example:
    """A rule's example as `check` sees it without any clothes."""

    name: str
    rule: str
    bad: str
    good: str
    loud: bool  # found above a note
    lines: frozenset[int]  # where
    alarms: frozenset[str]  # the rules that speak of the good program


@dataclasses.dataclass(frozen=True)
class Result:
    """What became of one example in some clothes."""

    example: str
    rule: str
    clothes: str
    found: bool
    placed: bool  # where it stood
    alarms: tuple[str, ...]  # rules that speak of the good program, and are silent without the clothes


def findings(files: dict[str, str]) -> list[Finding]:
    """What `check` says of a program of these files."""
    before = os.getcwd()
    with tempfile.TemporaryDirectory() as folder:
        for path, text in files.items():
            target = pathlib.Path(folder, path)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text, encoding="utf-8")
        os.chdir(folder)
        try:
            return list(check_paths(["."], Config()).findings)
        finally:
            os.chdir(before)


def _speaks(rule: str, found: Iterable[Finding], *, loud: bool) -> bool:
    return any(one.rule == rule and (not loud or one.severity is not Severity.NOTE) for one in found)


def _lines(rule: str, found: Iterable[Finding], files: Files) -> frozenset[int]:
    """The lines of the example that a rule's findings in these files come from."""
    lines: set[int] = set()
    for one in found:
        if one.rule == rule:
            line = one.line
            if one.cell:
                cells = notebook_cells(one.path, texts(files)[one.path].encode())
                line += cells[one.cell - 1].first - 1
            lines |= first_lines(one.path, files[one.path]).get(line, set())
    return frozenset(lines)


def examples() -> list[Example]:
    """The examples that `check` finds: the others need a run, or a comment that no syntax tree has."""
    listed = []
    for name, rule, example in all_examples():
        bad, good = trees(example.bad, ()), trees(example.good, ())
        assert bad is not None
        assert good is not None
        found = findings(texts(bad))
        if _speaks(rule.id, found, loud=False):
            loud = _speaks(rule.id, found, loud=True)
            alarms = frozenset(one.rule for one in findings(texts(good)))
            lines = _lines(rule.id, found, bad)
            listed.append(Example(name, rule.id, example.bad, example.good, loud, lines, alarms))
    return listed


def result(example: Example, clothes: Sequence[Clothing]) -> Result | None:
    """What is found of an example in these clothes; None where they do not apply to it."""
    bad = trees(example.bad, clothes)
    if bad is None:
        return None
    said = findings(texts(bad))
    found = _speaks(example.rule, said, loud=example.loud)
    placed = bool(_lines(example.rule, said, bad) & example.lines)
    good = dressed(example.good, clothes)
    alarms = {one.rule for one in findings(good)} - example.alarms if good is not None else set()
    name = " + ".join(one.name for one in clothes)
    return Result(example.name, example.rule, name, found, placed, tuple(sorted(alarms)))


def measure(listed: Sequence[Example], clothes: Iterable[Sequence[Clothing]]) -> list[Result]:
    """Every one of these examples in each of these clothes."""
    results = (result(example, some) for some in clothes for example in listed)
    return [one for one in results if one is not None]


def measure_pairs(listed: Sequence[Example], count: int, seed: int = 0) -> list[Result]:
    """As many pairs of clothes, each on the examples in turn that it applies to."""
    results: list[Result] = []
    for number, pair in enumerate(pairs_of_clothes(10 * count, seed)):
        if len(results) == count:
            break
        one = result(listed[number % len(listed)], pair)
        if one is not None:
            results.append(one)
    return results
