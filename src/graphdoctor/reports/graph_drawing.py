"""A traced graph → an SVG: one box per line of source, in the order of the source, joined by data flow."""

import dataclasses
import html
import linecache

from graphdoctor.autograph.places import SourceLine, shown
from graphdoctor.autograph.traces.operations import Operation
from graphdoctor.autograph.traces.tracing import Traced
from graphdoctor.autograph.views.graph import by_place, summary
from graphdoctor.model.words import shortened

ROW, BOX, LEFT, RIGHT, TOP, INDENT = 58, 44, 130, 760, 76, 26
LONGEST_TEXT = 84
STYLE = """
text { font: 13px ui-monospace, Menlo, Consolas, monospace; fill: #1b1f24 }
.title { font-size: 15px; font-weight: 600 } .small { font-size: 11px; fill: #57606a }
.box { fill: #ffffff; stroke: #8c959f } .loop { fill: #ddf4ff; stroke: #54aeff }
.branch { fill: #fff8c5; stroke: #d4a72c } .flow { fill: none; stroke: #57606a; stroke-opacity: .55 }
.back { fill: #ffffff }
"""


@dataclasses.dataclass(frozen=True)
class _Row:
    """A line of source that made operations."""

    place: SourceLine
    operations: tuple[Operation, ...]
    depth: int
    top: int

    @property
    def middle(self) -> int:
        return self.top + BOX // 2

    @property
    def left(self) -> int:
        return LEFT + INDENT * self.depth


def draw(traced: Traced) -> str:
    """The drawing as text."""
    rows = _rows(traced)
    height = TOP + ROW * len(rows) + 30
    width = RIGHT + 30
    total = sum(len(row.operations) for row in rows)
    title = f"{traced.function.__qualname__}: {total:,} operations from {len(rows)} lines"
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img" '
        f'width="{width}" height="{height}">',
        f"<title>{html.escape(title)}</title>",
        f"<style>{STYLE}</style>",
        f'<rect class="back" width="{width}" height="{height}"/>',
        f'<text class="title" x="20" y="32">{html.escape(title)}</text>',
        '<text class="small" x="20" y="52">arcs: where a line\'s results are used; '
        "blue: holds a graph loop; yellow: holds a graph branch</text>",
        *(_box(row) for row in rows),
        *_arcs(rows, traced.operations),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def _rows(traced: Traced) -> list[_Row]:
    groups = by_place(traced.operations)
    order = sorted(groups, key=lambda place: (place[0] != traced.code.co_filename, place))
    return [
        _Row(place, tuple(groups[place]), _depth(groups[place]), TOP + ROW * number)
        for number, place in enumerate(order)
    ]


def _depth(operations: list[Operation]) -> int:
    """How many loops and branches a line is inside of."""
    return min(min(len(operation.inside) for operation in operations), 6)


def _box(row: _Row) -> str:
    path, number = row.place
    source = _cut(f"{number}  {linecache.getline(path, number).strip()}", row.depth)
    below = _cut(f"{shown(path)}: {summary(list(row.operations))}", row.depth - 3)
    return (
        f'<rect class="{_kind(row)}" x="{row.left}" y="{row.top}" width="{RIGHT - row.left}" '
        f'height="{BOX}" rx="6"/>'
        f'<text x="{row.left + 12}" y="{row.top + 18}">{html.escape(source)}</text>'
        f'<text class="small" x="{row.left + 12}" y="{row.top + 35}">{html.escape(below)}</text>'
    )


def _cut(text: str, depth: int) -> str:
    return shortened(text, LONGEST_TEXT - 6 - 4 * depth)


def _kind(row: _Row) -> str:
    types = {operation.type for operation in row.operations}
    if types & {"While", "StatelessWhile"}:
        return "loop"
    return "branch" if types & {"If", "StatelessIf", "Case", "StatelessCase"} else "box"


def _arcs(rows: list[_Row], operations: tuple[Operation, ...]) -> list[str]:
    """One arc for each pair of lines, from where a value is made to where it is used."""
    by_name = {operation.name: operation for operation in operations}
    made_in = {operation.name: row for row in rows for operation in row.operations}
    pairs: dict[tuple[SourceLine, SourceLine], tuple[_Row, _Row]] = {}
    for row in rows:
        for operation in row.operations:
            for source in operation.inputs:
                start = made_in.get(_behind_plumbing(source, by_name))
                if start is not None and start.place != row.place:
                    pairs[(start.place, row.place)] = (start, row)
    return [_arc(start, end) for start, end in pairs.values()]


def _behind_plumbing(name: str, by_name: dict[str, Operation]) -> str:
    """The operation that really made a value: not the `Identity` that carries it."""
    while name in by_name and by_name[name].is_plumbing and by_name[name].inputs:
        name = by_name[name].inputs[0]
    return name


def _arc(start: _Row, end: _Row) -> str:
    reach = min(24 + abs(end.top - start.top) // 6, LEFT - 24)
    bend = LEFT - reach
    return (
        f'<path class="flow" d="M {start.left} {start.middle} C {bend} {start.middle}, '
        f'{bend} {end.middle}, {end.left - 3} {end.middle}"/>'
        f'<circle cx="{end.left - 3}" cy="{end.middle}" r="3" fill="#57606a"/>'
    )
