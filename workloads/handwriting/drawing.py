"""Written lines → a page → SVG, PNG or JSON; attention → a picture."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from PIL import Image, ImageDraw

from workloads.handwriting.hershey import glyphs
from workloads.handwriting.strokes import corners
from workloads.handwriting.writer import Written

LINE_HEIGHT = 44.0  # from baseline to baseline; a capital is 21 high
ASCENT, DESCENT, MARGIN = 26.0, 14.0, 14.0
PEN = 1.6  # width of the pen
PIXELS = 3  # pixels per unit in a PNG
CURVE = 4  # drawn points for each of the network's
ENDINGS = (".svg", ".png", ".json")
FINER = 3  # drawn so many times larger, then reduced: smooth edges


class Page(NamedTuple):
    """Strokes in place, in the fonts' units."""

    width: float
    height: float
    strokes: list[np.ndarray]  # [points, 2] each


def make_page(lines: Sequence[Written]) -> Page:
    """Lines under each other; a line without strokes leaves a gap."""
    strokes = [
        smoothed(stroke) + np.array([MARGIN, MARGIN + ASCENT + number * LINE_HEIGHT])
        for number, line in enumerate(lines)
        for stroke in line.strokes
    ]
    right = max((stroke[:, 0].max() for stroke in strokes), default=MARGIN)
    height = 2 * MARGIN + ASCENT + DESCENT + (len(lines) - 1) * LINE_HEIGHT
    lowest = max((stroke[:, 1].max() + MARGIN for stroke in strokes), default=0.0)
    return Page(float(right + MARGIN), float(max(height, lowest)), strokes)


def smoothed(stroke: np.ndarray) -> np.ndarray:
    """A finer polyline: a curve through the points, straight on into and out of corners."""
    if len(stroke) < 3:
        return stroke
    slopes = np.gradient(stroke, axis=0)  # [points, 2]: the curve's direction at each point
    for place in corners(stroke):
        slopes[place] = 0
    along = np.linspace(0, 1, CURVE, endpoint=False)[:, np.newaxis, np.newaxis]  # [curve, 1, 1]
    begin, end = stroke[:-1], stroke[1:]  # [points - 1, 2] each
    curve = (
        (2 * along**3 - 3 * along**2 + 1) * begin
        + (along**3 - 2 * along**2 + along) * slopes[:-1]
        + (3 * along**2 - 2 * along**3) * end
        + (along**3 - along**2) * slopes[1:]
    )  # [curve, points - 1, 2]
    return np.concatenate([curve.transpose(1, 0, 2).reshape(-1, 2), stroke[-1:]])


def to_svg(page: Page, colour: str = "#1a1a66") -> str:
    """The page as one SVG path per stroke."""
    paths = "\n".join(f'<path d="{_path(stroke)}"/>' for stroke in page.strokes)
    size = f"{page.width:.1f} {page.height:.1f}"
    style = f'fill="none" stroke="{colour}" stroke-width="{PEN}"'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size}" '
        f'width="{page.width * 2:.0f}" height="{page.height * 2:.0f}">\n'
        f'<g {style} stroke-linecap="round" stroke-linejoin="round">\n{paths}\n</g>\n</svg>\n'
    )


def _path(stroke: np.ndarray) -> str:
    points = [f"{x:.2f} {y:.2f}" for x, y in stroke]
    # A dot is a line to its own place: renderers draw nothing for a lone move.
    return f"M{points[0]}L" + " ".join(points[1:] or points)


def to_image(page: Page, pixels: float = PIXELS, pen: float = PEN) -> Image.Image:
    """The page in black on white."""
    scale = pixels * FINER
    size = (round(page.width * scale), round(page.height * scale))
    image = Image.new("L", size, 255)
    draw = ImageDraw.Draw(image)
    for stroke in page.strokes:
        _draw_stroke(draw, stroke * scale, pen * scale)
    return image.reduce(FINER)


def _draw_stroke(draw: ImageDraw.ImageDraw, stroke: np.ndarray, width: float) -> None:
    draw.line([tuple(point) for point in stroke], fill=0, width=round(width), joint="curve")
    for x, y in (stroke[0], stroke[-1]):  # round ends, and dots
        draw.ellipse([x - width / 2, y - width / 2, x + width / 2, y + width / 2], fill=0)


def to_json(lines: Sequence[Written]) -> str:
    """The lines as JSON that `--style` reads again."""
    plain = [
        {"text": line.text, "strokes": [stroke.round(2).tolist() for stroke in line.strokes]}
        for line in lines
    ]
    return json.dumps({"lines": plain}) + "\n"


def check_path(path: Path, *endings: str) -> None:
    """Refuse a name whose ending says nothing, or whose folder is missing, before any work is done."""
    if path.suffix.lower() not in endings:
        expected = ", ".join(endings[:-1]) + " or " + endings[-1] if len(endings) > 1 else endings[0]
        raise ValueError(f"{path}: expected a name that ends in {expected}")
    if not path.parent.is_dir():
        raise ValueError(f"{path}: there is no folder {path.parent}: make it first")


def save(lines: Sequence[Written], path: Path) -> None:
    """Write a page; the ending of its name says how."""
    check_path(path, *ENDINGS)
    if path.suffix.lower() == ".png":
        to_image(make_page(lines)).save(path)
        return
    as_svg = path.suffix.lower() == ".svg"
    path.write_text(to_svg(make_page(lines)) if as_svg else to_json(lines), encoding="utf-8")


def attention_image(line: Written, cell: int = 14) -> Image.Image:
    """Which character was read at which point: time to the right, the text downwards."""
    weight = line.weight.T  # [text, time]
    shades = 255 - 255 * weight / max(float(weight.max(initial=0)), 1e-6)
    map_ = Image.fromarray(shades.astype(np.uint8))
    wide = max(2 * map_.width, 60)
    image = Image.new("L", (wide + 2 * cell, cell * map_.height), 255)
    image.paste(map_.resize((wide, image.height), Image.Resampling.NEAREST), (2 * cell, 0))
    draw = ImageDraw.Draw(image)
    for number, character in enumerate(line.text):
        for stroke in glyphs("futural")[character].strokes:
            points = stroke * (cell / 32) + [cell / 2, (number + 0.75) * cell]
            draw.line([tuple(point) for point in points], fill=0)
    return image
