"""`python docs/builder/architecture.py`: the table of ARCHITECTURE.md → docs/pictures/architecture.svg.

The parts stand in rows by how much they rest on; an arrow that others imply is left out, and one that passes
a row gets a place of its own there, so that it never runs behind a part.
"""

import itertools
import pathlib
import re
import statistics

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = ROOT / "ARCHITECTURE.md"
PICTURE = ROOT / "docs/pictures/architecture.svg"
ROW = re.compile(r"^\| `(\w+)` \| [^|]+ \| ([\w, ]*)\|$", re.MULTILINE)
BASE = ("model", "errors", "config", "version")
WIDTH, BOX, HEIGHT, PASSAGE, ROW_HEIGHT, MARGIN, SWEEPS = 860, 112, 34, 26, 84, 20, 24
STYLE = """
text { font: 14px ui-sans-serif, system-ui, sans-serif; fill: #1b1f24; text-anchor: middle }
rect { fill: #ddf4ff; stroke: #54aeff } .base { fill: #f6f8fa; stroke: #8c959f }
path { fill: none; stroke: #57606a; stroke-opacity: .7 } .back { fill: #ffffff; stroke: none }
"""
HEAD = (
    '<defs><marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" '
    'orient="auto">'
    '<path d="M0 0L8 4L0 8z" style="fill:#57606a;stroke:none"/></marker></defs>'
)
Arrows = dict[str, set[str]]
Spot = tuple[str, str]  # a part (`("rules", "")`), or the passage of an arrow through a row
Rows = list[list[Spot]]


def arrows() -> Arrows:
    """Who may import whom, beside the base."""
    rows = ROW.findall(PAGE.read_text(encoding="utf-8"))
    return {part: set(re.findall(r"\w+", others)) for part, others in rows}


def draw(table: Arrows) -> str:
    """The picture as text."""
    parts = {part: others for part, others in table.items() if part not in BASE}
    reported = [(part, other) for part in parts for other in sorted(_reported(part, parts))]
    rows, ways = _laid_out(parts, reported)
    across = _columns(rows)
    top = {spot: MARGIN + index * ROW_HEIGHT for index, row in enumerate(rows) for spot in row}
    base = MARGIN + len(rows) * ROW_HEIGHT
    drawn = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {base + HEIGHT + MARGIN}" role="img">',
        f"<title>Who imports whom</title>\n<style>{STYLE}</style>\n{HEAD}",
        f'<rect class="back" width="{WIDTH}" height="{base + HEIGHT + MARGIN}"/>',
        *(_arrow([(across[spot], top[spot], not spot[1]) for spot in way]) for way in ways),
        *(_box(part, across[part, ""] - BOX // 2, top[part, ""], BOX) for part in parts),
        _box(", ".join(BASE) + ": imported by all", MARGIN, base, WIDTH - 2 * MARGIN, ' class="base"'),
        "</svg>",
    ]
    return "\n".join(drawn) + "\n"


def _reported(part: str, parts: Arrows) -> set[str]:
    """The arrows that no longer way implies."""
    others = parts[part]
    return {one for one in others if not any(one in _below(other, parts) for other in others - {one})}


def _below(part: str, parts: Arrows) -> set[str]:
    return parts[part].union(*(_below(other, parts) for other in parts[part]))


def _laid_out(parts: Arrows, reported: list[tuple[str, str]]) -> tuple[Rows, Rows]:
    """The rows from the top, with the way of each arrow through them; neighbours stand near each other."""
    depth = {part: _depth(part, parts) for part in parts}
    rows: Rows = [[] for _ in range(max(depth.values()) + 1)]
    for part in parts:
        rows[depth[part]].append((part, ""))
    ways: Rows = []
    for part, other in reported:
        passages = [(part, f"{other} {index}") for index in range(depth[part] + 1, depth[other])]
        for index, passage in enumerate(passages, depth[part] + 1):
            rows[index].append(passage)
        ways.append([(part, ""), *passages, (other, "")])
    for sweep in range(SWEEPS):
        column = _columns(rows)
        for row in rows if sweep % 2 else reversed(rows):
            row.sort(key=lambda spot: _pull(spot, ways, column))
    return rows, ways


def _depth(part: str, parts: Arrows) -> int:
    """How long the longest way from above is."""
    return max((_depth(one, parts) + 1 for one, others in parts.items() if part in others), default=0)


def _pull(spot: Spot, ways: Rows, column: dict[Spot, int]) -> float:
    """Where the neighbours of a spot are, in the mean."""
    pairs = [pair for way in ways for pair in itertools.pairwise(way) if spot in pair]
    return statistics.fmean([column[one] for pair in pairs for one in pair if one != spot] or [column[spot]])


def _columns(rows: Rows) -> dict[Spot, int]:
    """The middle of each spot: a row is spread over the width."""
    middles: dict[Spot, int] = {}
    for row in rows:
        widths = [PASSAGE if spot[1] else BOX for spot in row]
        gap = (WIDTH - 2 * MARGIN - sum(widths)) / (len(row) + 1)
        left = MARGIN + gap
        for spot, width in zip(row, widths, strict=True):
            middles[spot] = round(left + width / 2)
            left += width + gap
    return middles


def _box(text: str, left: int, top: int, width: int, kind: str = "") -> str:
    return (
        f'<rect{kind} x="{left}" y="{top}" width="{width}" height="{HEIGHT}" rx="6"/>'
        f'<text x="{left + width // 2}" y="{top + 22}">{text}</text>'
    )


def _arrow(points: list[tuple[int, int, bool]]) -> str:
    """A curve from the foot of a box to the head of another, straight through the passages between."""
    x, y, _ = points[0]
    drawn, y = f"M {x} {y + HEIGHT}", y + HEIGHT
    for next_x, next_y, is_box in points[1:]:
        bend = (next_y - y) // 2
        drawn += f" C {x} {y + bend}, {next_x} {next_y - bend}, {next_x} {next_y}"
        x, y = next_x, next_y
        if not is_box:
            drawn, y = f"{drawn} V {y + HEIGHT}", y + HEIGHT
    return f'<path marker-end="url(#head)" d="{drawn}"/>'


if __name__ == "__main__":
    PICTURE.write_text(draw(arrows()), encoding="utf-8")
    print(f"{PICTURE.relative_to(ROOT)}: {len(arrows())} parts")
