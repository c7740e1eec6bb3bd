"""The page of the documentation that shows how much is found in which variants."""

import collections
from collections.abc import Iterable, Sequence

from tests.variants.matrix import Example, Result
from tests.variants.variants import all_variants

PAIRS = 400

HEAD = """\
# The same problem in any variant

A rule is worth what it finds in programs that do not look like its example. Here the bad example of every
rule is written in other ways that leave what it does as it is, by machine: `make test-variants` measures how
many of them `check` still finds, in how many good examples it now finds something, and writes this page.
A way of writing applies to an example where there is something to change; what is found has no part in that.
{examples} examples are counted: those that `check` finds as they stand. On a sample the real TensorFlow shows
that the program still behaves as its example. *At its line*: the finding stands where
it stood in the example; it stands elsewhere where the call or the decorator that it is about has moved.

| | applicable | found | share | at its line | good programs with a new finding |
|---|---|---|---|---|---|
| one way of writing | {single} |
| two at once, drawn with a fixed seed | {pairs} |
"""


def page(examples: Sequence[Example], results: Sequence[Result], pairs: Sequence[Result]) -> str:
    """The page as Markdown."""
    lines = [HEAD.format(examples=len(examples), single=_cells(results), pairs=_cells(pairs))]
    groups = _grouped(results)
    family = ""
    for one in all_variants():
        if one.family != family:
            family = one.family
            lines.append(f"\n## {family.capitalize()}\n")
            lines.append(
                "| | applicable | found | share | at its line | new | |\n|---|---|---|---|---|---|---|"
            )
        if one.name in groups:
            lines.append(f"| {one.name} | {_cells(groups[one.name])} | {one.says} |")
    missed = collections.defaultdict(list)
    for result in results:
        if not result.found:
            missed[result.variants].append(result.example)
    if missed:
        lines.append("\n## What is not found\n")
        lines += [f"- {name}: {', '.join(found)}" for name, found in missed.items()]
    twice = [f"- {result.example}: {result.variants}" for result in pairs if not result.found]
    if twice:
        lines += ["\nWith two at once:\n", *twice]
    return "\n".join(lines).replace("\n\n\n", "\n\n") + "\n"


def _grouped(results: Iterable[Result]) -> dict[str, list[Result]]:
    groups: dict[str, list[Result]] = collections.defaultdict(list)
    for one in results:
        groups[one.variants].append(one)
    return groups


def _cells(results: Sequence[Result]) -> str:
    found = sum(one.found for one in results)
    placed = sum(one.placed for one in results)
    alarms = sum(bool(one.alarms) for one in results)
    whole = max(len(results), 1)
    return f"{len(results)} | {found} | {found / whole:.3f} | {placed / whole:.3f} | {alarms}"
