"""A person's own strokes, from JSON or SVG, brought to the size and pace the network knows."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import svgelements

from workloads.handwriting.hershey import FINAL_POINTS, STEP, write_line
from workloads.handwriting.line import Line
from workloads.handwriting.strokes import StrokeError, resample, to_offsets, to_strokes

QUANTILES = (0.1, 0.9)
CURVE_POINTS = 16  # points for each curved segment of an SVG path, before resampling


def fit_line(text: str, strokes: Sequence[np.ndarray], style: str = "") -> Line:
    """A line from strokes in any unit: same height as the bundled lines, baseline at zero.

    The same text in a bundled font tells how high the strokes should reach: a text without
    capitals is not blown up to the height of one with them.
    """
    strokes = [_checked(stroke) for stroke in strokes]
    if not strokes:
        raise StrokeError(f"expected strokes for {text!r}, found none")
    model = write_line(text, "plain", np.random.default_rng(0), looseness=0)
    low, high = _heights(to_strokes(model.points[1:-FINAL_POINTS]))
    own_low, own_high = _heights(strokes)
    if own_high - own_low <= 0 or high - low <= 0:
        raise StrokeError(f"the strokes for {text!r} have no height: expected a written line")
    scale = (high - low) / (own_high - own_low)
    left = min(stroke[:, 0].min() for stroke in strokes)
    origin = np.array([left, own_high - high / scale])
    fitted = [resample((stroke - origin) * scale, STEP) for stroke in strokes]
    start = np.array([[0.0, 0.0, 1.0]])
    points = np.concatenate([start, to_offsets(fitted), np.repeat(start, FINAL_POINTS, axis=0)])
    return Line(text, points.astype(np.float32), None, style)


def _heights(strokes: Sequence[np.ndarray]) -> np.ndarray:
    """Between which heights most of the ink lies, whatever the spacing of the points."""
    reach = float(np.ptp(np.concatenate(strokes), axis=0).max()) or 1.0
    ink = np.concatenate([resample(stroke, reach / 200) for stroke in strokes])  # [points, 2]
    return np.quantile(ink[:, 1], QUANTILES)


def _checked(stroke: Any) -> np.ndarray:
    try:
        points = np.array(stroke, np.float64)
    except (TypeError, ValueError) as error:
        raise StrokeError(f"expected a stroke as a list of [x, y], {error}") from error
    if points.ndim != 2 or points.shape[1] != 2 or not len(points):
        raise StrokeError(f"expected a stroke as a list of [x, y], got the shape {points.shape}")
    if not np.isfinite(points).all():
        raise StrokeError("expected finite coordinates, found NaN or infinity")
    return points


def read_own_lines(path: Path, text: str | None = None) -> list[Line]:
    """The lines of a JSON file, or the one line of an SVG whose text is given."""
    match path.suffix.lower():
        case ".json":
            return _read_json(path, text)
        case ".svg":
            return [_read_svg(path, text)]
        case other:
            raise StrokeError(f"{path}: expected a .json or .svg file, got {other!r}")


def _read_json(path: Path, text: str | None) -> list[Line]:
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise StrokeError(f"{path}: not JSON, {error}") from error
    entries = content.get("lines", [content]) if isinstance(content, dict) else None
    if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
        raise StrokeError(f'{path}: expected {{"text": …, "strokes": [[[x, y], …], …]}}')
    lines = []
    for entry in entries:
        own_text = entry.get("text", text)
        if not isinstance(own_text, str) or not own_text:
            raise StrokeError(f'{path}: no "text" says what the strokes write; give it')
        lines.append(fit_line(own_text, entry.get("strokes", [])))
    if not lines:
        raise StrokeError(f"{path}: expected at least one line, found none")
    return lines


def _read_svg(path: Path, text: str | None) -> Line:
    if not text:
        raise StrokeError(f"{path}: an SVG does not say what it writes: give its text (--style-text)")
    try:
        drawing = svgelements.SVG.parse(str(path), reify=True)
    except Exception as error:  # the parser lets many kinds through
        raise StrokeError(f"{path}: not an SVG, {error}") from error
    shapes = [e for e in drawing.elements() if isinstance(e, svgelements.Shape)]
    strokes = [stroke for shape in shapes for stroke in _shape_strokes(shape)]
    return fit_line(text, strokes)


def _shape_strokes(shape: svgelements.Shape) -> list[np.ndarray]:
    """Polylines along a shape, one for each time the pen is put down."""
    strokes: list[list[tuple[float, float]]] = []
    for segment in svgelements.Path(shape):
        if isinstance(segment, svgelements.Move):
            strokes.append([tuple(segment.end)])
            continue
        straight = isinstance(segment, svgelements.Line | svgelements.Close)
        count = 1 if straight else CURVE_POINTS
        places = [segment.point(number / count) for number in range(1, count + 1)]
        strokes[-1] += [(place.x, place.y) for place in places if place is not None]
    return [np.array(stroke, np.float64) for stroke in strokes if stroke]
