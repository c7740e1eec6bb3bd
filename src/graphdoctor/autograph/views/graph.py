"""The operations of a graph, by the line of the user's code that made them."""

import linecache
import textwrap
from collections import Counter, defaultdict

from graphdoctor.autograph.places import SourceLine, shown
from graphdoctor.autograph.traces.operations import Operation
from graphdoctor.autograph.traces.tracing import Traced
from graphdoctor.model.words import count, share, shortened

WIDTH = 100


def render_graph(traced: Traced) -> str:
    """Each line that made operations, with their types and what the last of them gives."""
    groups = by_place(traced.operations)
    total = sum(map(len, groups.values()))
    lines = [f"{traced.function.__qualname__}: {count(total, 'operation')} from {count(len(groups), 'line')}"]
    lines += _heaviest(groups, total)
    for path in dict.fromkeys(path for path, _ in groups):
        lines += ["", shown(path)]
        numbers = sorted(line for other, line in groups if other == path)
        digits = len(str(numbers[-1]))
        for number in numbers:
            source = linecache.getline(path, number).strip()
            lines.append(shortened(f"{number:>{digits}} │ {source}", WIDTH))
            lines += _operations(groups[(path, number)], " " * digits + " │   ")
    return "\n".join(lines) + "\n"


def by_place(operations: tuple[Operation, ...]) -> dict[SourceLine, list[Operation]]:
    """Operations by the innermost line of the user's code that made them, in the order of the graph."""
    groups: dict[SourceLine, list[Operation]] = defaultdict(list)
    for operation in operations:
        if operation.frames and not operation.is_plumbing:
            groups[operation.frames[-1]].append(operation)
    return dict(groups)


def _heaviest(groups: dict[SourceLine, list[Operation]], total: int) -> list[str]:
    """The line that makes most of the graph, when one does."""
    if not groups:
        return []
    place, operations = max(groups.items(), key=lambda item: len(item[1]))
    if len(operations) * 2 <= total or len(groups) < 3:
        return []
    where = f"{shown(place[0])}:{place[1]}"
    return [f"{len(operations):,} of them ({share(len(operations), total)}) come from {where}"]


def _operations(operations: list[Operation], prefix: str) -> list[str]:
    parts: dict[str, list[Operation]] = defaultdict(list)
    for operation in operations:
        parts[_inside(operation)].append(operation)
    lines = []
    for inside, group in parts.items():
        text = f"{inside}{summary(group)} → {group[-1].output or 'nothing'}"
        lines += textwrap.wrap(text, WIDTH, initial_indent=prefix, subsequent_indent=prefix + "  ")
    return lines


def _inside(operation: Operation) -> str:
    return f"in {' in '.join(reversed(operation.inside))}: " if operation.inside else ""


def summary(operations: list[Operation]) -> str:
    """`Const ×3, AddV2, Mul`."""
    counts = Counter(operation.type for operation in operations)
    return ", ".join(f"{kind} ×{number}" if number > 1 else kind for kind, number in counts.items())
