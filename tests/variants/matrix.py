"""Every rule's examples in every variant: what `check` finds in them."""

import collections
import dataclasses
import os
import pathlib
import tempfile
from collections.abc import Iterable, Sequence

from graphdoctor.config import Config
from graphdoctor.fixing import fix_paths
from graphdoctor.judging import check_paths
from graphdoctor.model import Finding
from graphdoctor.source.notebooks import notebook_cells
from tests.ratcheting import all_examples
from tests.variants.variants import (
    Files,
    Variant,
    first_lines,
    pairs_of_variants,
    rewritten,
    texts,
    trees,
)


@dataclasses.dataclass(frozen=True)
class Example:
    """A rule's example as `check` sees it without any variants."""

    name: str
    rule: str
    bad: str
    good: str
    loud: bool  # found above a note
    lines: frozenset[int]  # where
    alarms: frozenset[str]  # the rules that speak of the good program


@dataclasses.dataclass(frozen=True)
class Result:
    """What became of one example in some variants."""

    example: str
    rule: str
    variants: str
    found: bool
    placed: bool  # where it stood
    alarms: tuple[str, ...]  # rules that speak of the good program, and are silent without the variants


def findings(files: dict[str, str]) -> list[Finding]:
    """What `check` says of a program of these files."""
    before = os.getcwd()
    with tempfile.TemporaryDirectory() as folder:
        _write(files, folder)
        os.chdir(folder)
        try:
            return list(check_paths(["."], Config()).findings)
        finally:
            os.chdir(before)


@dataclasses.dataclass(frozen=True)
class Fixing:
    """What `check --fix --unsafe-fixes` made of one example in some variants."""

    example: str
    variants: str
    edited: bool
    brought: tuple[str, ...]  # rules that have more to say of the edited program


def fixing(example: Example, variants: Sequence[Variant]) -> Fixing | None:
    """What becomes of the bad example with all of its fixes; None where the variants do not apply to it."""
    files = rewritten(example.bad, variants)
    if files is None:
        return None
    before, here = collections.Counter(one.rule for one in findings(files) if one.is_shown), os.getcwd()
    with tempfile.TemporaryDirectory() as folder:
        _write(files, folder)
        os.chdir(folder)
        try:
            applied = fix_paths(["."], Config(), unsafe=True, write=True).applied
            left = check_paths(["."], Config()).findings
        finally:
            os.chdir(here)
    after = collections.Counter(one.rule for one in left if one.is_shown)
    name = " + ".join(one.name for one in variants)
    return Fixing(example.name, name, bool(applied), tuple(sorted((after - before).elements())))


def measure_fixing(listed: Sequence[Example], variants: Iterable[Sequence[Variant]]) -> list[Fixing]:
    """Every one of these examples, fixed, in each of these variants."""
    results = (fixing(example, some) for some in variants for example in listed)
    return [one for one in results if one is not None]


def _write(files: dict[str, str], folder: str) -> None:
    for path, text in files.items():
        target = pathlib.Path(folder, path)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")


def _speaks(rule: str, found: Iterable[Finding], *, loud: bool) -> bool:
    return any(one.rule == rule and (not loud or one.is_shown) for one in found)


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


def result(example: Example, variants: Sequence[Variant]) -> Result | None:
    """What is found of an example in these variants; None where they do not apply to it."""
    bad = trees(example.bad, variants)
    if bad is None:
        return None
    said = findings(texts(bad))
    found = _speaks(example.rule, said, loud=example.loud)
    placed = bool(_lines(example.rule, said, bad) & example.lines)
    good = rewritten(example.good, variants)
    alarms = {one.rule for one in findings(good)} - example.alarms if good is not None else set()
    name = " + ".join(one.name for one in variants)
    return Result(example.name, example.rule, name, found, placed, tuple(sorted(alarms)))


def measure(listed: Sequence[Example], variants: Iterable[Sequence[Variant]]) -> list[Result]:
    """Every one of these examples in each of these variants."""
    results = (result(example, some) for some in variants for example in listed)
    return [one for one in results if one is not None]


def measure_pairs(listed: Sequence[Example], count: int, seed: int = 0) -> list[Result]:
    """As many pairs of variants, each on the examples in turn that it applies to."""
    results: list[Result] = []
    for number, pair in enumerate(pairs_of_variants(10 * count, seed)):
        if len(results) == count:
            break
        one = result(listed[number % len(listed)], pair)
        if one is not None:
            results.append(one)
    return results
