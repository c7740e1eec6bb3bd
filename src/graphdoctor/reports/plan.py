"""A plan as a picture: bars for the terminal, and SVG."""

from __future__ import annotations

from collections.abc import Sequence

from graphdoctor.batching.histogram import LengthHistogram
from graphdoctor.batching.plan import Plan, padding_share, shape

BARS = 24
BAR_WIDTH = 48
WIDTH, HEIGHT, MARGIN = 760, 340, 46


def render_terminal(plan: Plan, histogram: LengthHistogram) -> str:
    """How many examples have which length (the last axis), and where the buckets end."""
    counts, step = _bars(histogram, histogram.axes - 1)
    ends = [bound[-1] for bound in plan.bounds]
    most = max(counts)
    which = "length" if histogram.axes == 1 else "second length"
    lines = [f"  up to {which:<{BAR_WIDTH}} examples   padded to"]
    for index, count in enumerate(counts):
        low, high = index * step + 1, (index + 1) * step
        bar = "█" * round(BAR_WIDTH * count / most) or ("▏" if count else "")
        here = ", ".join(str(end) for end in ends if low <= end <= high)
        mark = f"┤ {here}" if here else "│"
        lines.append(f"{high:>7} {bar:<{BAR_WIDTH}} {count:>8} {mark}")
    return "\n".join(lines)


def render_svg(plan: Plan, histogram: LengthHistogram) -> str:
    """The same as a picture: bars with bucket ends, or for two lengths a map with its boxes."""
    body = _svg_line(plan, histogram) if histogram.axes == 1 else _svg_grid(plan, histogram)
    plural = "bucket" if len(plan.buckets) == 1 else "buckets"
    padding = f"{100 * padding_share(plan.waste):.1f} % padding"
    head = f"{len(plan.buckets)} {plural}, {padding}, {plan.examples:,} examples"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}"'
        ' font-family="sans-serif" font-size="12" role="img">\n'
        f"<title>{head}: {', '.join(map(shape, plan.bounds))}</title>\n"
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>\n'
        f'<text x="{MARGIN}" y="20" fill="#222">{head}</text>\n' + "\n".join(body) + "\n</svg>\n"
    )


def _bars(histogram: LengthHistogram, axis: int, bars: int = BARS) -> tuple[list[int], int]:
    longest = histogram.maxima[axis]
    step = max(1, -(-longest // bars))
    counts = [0] * -(-longest // step)
    for length, count in histogram:
        counts[(length[axis] - 1) // step] += count
    return counts, step


def _svg_line(plan: Plan, histogram: LengthHistogram) -> list[str]:
    counts, step = _bars(histogram, 0, 80)
    across = _scale(max(histogram.maxima[0], plan.bounds[-1][0]), WIDTH - 2 * MARGIN)
    up = _scale(max(counts), HEIGHT - 3 * MARGIN)
    floor = HEIGHT - MARGIN
    body = [
        f'<rect x="{MARGIN + across * index * step:.1f}" y="{floor - up * count:.1f}"'
        f' width="{across * step * 0.9:.1f}" height="{up * count:.1f}" fill="#9ab8d8"/>'
        for index, count in enumerate(counts)
        if count
    ]
    for bucket in plan.buckets:
        at = MARGIN + across * bucket.bound[0]
        body.append(f'<line x1="{at:.1f}" x2="{at:.1f}" y1="{MARGIN}" y2="{floor}" stroke="#c0392b"/>')
    body += _labels([bucket.bound[0] for bucket in plan.buckets], across, floor + 16)
    return [*body, _axis(floor, "length")]


def _svg_grid(plan: Plan, histogram: LengthHistogram) -> list[str]:
    across = _scale(histogram.maxima[1], WIDTH - 2 * MARGIN)
    up = _scale(histogram.maxima[0], HEIGHT - 2 * MARGIN)
    floor = HEIGHT - MARGIN
    most = max(count for _, count in histogram)
    body = [
        f'<circle cx="{MARGIN + across * mel:.1f}" cy="{floor - up * text:.1f}" r="2"'
        f' fill="#2c5f8a" fill-opacity="{0.2 + 0.8 * count / most:.2f}"/>'
        for (text, mel), count in histogram
    ]
    for text, mel in plan.bounds:
        body.append(
            f'<rect x="{MARGIN}" y="{floor - up * text:.1f}" width="{across * mel:.1f}"'
            f' height="{up * text:.1f}" fill="none" stroke="#c0392b"/>'
        )
    body += _labels([bound[1] for bound in plan.bounds], across, floor + 16)
    body += _side_labels([bound[0] for bound in plan.bounds], up, floor)
    height = f'<text x="{MARGIN}" y="{MARGIN - 6}" fill="#222">first length</text>'
    return [*body, height, _axis(floor, "second length")]


def _labels(ends: Sequence[int], across: float, y: float) -> list[str]:
    """Numbers under the bucket ends, as many as fit side by side."""
    labels: list[str] = []
    last = float("-inf")
    for end in sorted(ends):
        at = MARGIN + across * end
        if at - last >= 30:
            labels.append(f'<text x="{at:.1f}" y="{y:.1f}" text-anchor="middle" fill="#c0392b">{end}</text>')
            last = at
    return labels


def _side_labels(ends: Sequence[int], up: float, floor: float) -> list[str]:
    """Numbers beside the box tops, as many as fit one above the other."""
    labels: list[str] = []
    last = float("inf")
    for end in sorted(set(ends)):
        at = floor - up * end
        if last - at >= 14:
            labels.append(
                f'<text x="{MARGIN - 6}" y="{at + 4:.1f}" text-anchor="end" fill="#c0392b">{end}</text>'
            )
            last = at
    return labels


def _axis(floor: float, label: str) -> str:
    return (
        f'<line x1="{MARGIN}" x2="{WIDTH - MARGIN}" y1="{floor}" y2="{floor}" stroke="#222"/>'
        f'<text x="{WIDTH / 2:.0f}" y="{HEIGHT - 8}" text-anchor="middle" fill="#222">{label}</text>'
    )


def _scale(longest: float, space: float) -> float:
    return space / longest
