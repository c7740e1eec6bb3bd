"""Lines of the IAM On-Line Handwriting Database, from a copy that the user brings.

The database may be used for non-commercial research after registration with its makers; nothing
of it, and nothing derived from it, is part of this repository. Expected below one folder:
`lineStrokes/a01/a01-000/a01-000u-01.xml` and `ascii/a01/a01-000/a01-000u.txt`.
"""

from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

import numpy as np

from workloads.handwriting.alphabet import UnknownCharacterError, encode
from workloads.handwriting.line import Line
from workloads.handwriting.own_strokes import fit_line
from workloads.handwriting.strokes import StrokeError

TRANSCRIPT = "CSR:"


class IamError(ValueError):
    """A folder or file that is not as the database's own."""


def read_iam(folder: Path, skip_unknown: bool = False) -> list[Line]:
    """All lines below a folder; the style of each is the form it was written on.

    Args:
        skip_unknown: leave out lines with other characters than printable ASCII, where the
            default is an error.
    """
    files = sorted((folder / "lineStrokes").glob("*/*/*.xml"))
    if not files:
        raise IamError(f"{folder}: expected lineStrokes/*/*/*.xml below it, found none")
    return list(_lines(folder, files, skip_unknown))


def _lines(folder: Path, files: list[Path], skip_unknown: bool) -> Iterator[Line]:
    for path in files:
        form, _, number = path.stem.rpartition("-")
        text = _transcript_line(folder, path, form, number)
        try:
            encode(text)
        except UnknownCharacterError as error:
            if skip_unknown:
                continue
            raise IamError(f"{path}: {error}") from error
        try:
            yield fit_line(text, read_strokes(path), form)
        except StrokeError as error:
            raise IamError(f"{path}: {error}") from error


def read_strokes(path: Path) -> list[np.ndarray]:
    """The strokes of one line file."""
    try:
        root = ElementTree.parse(path).getroot()
        return [
            np.array([[float(point.attrib["x"]), float(point.attrib["y"])] for point in stroke])
            for stroke in root.iter("Stroke")
            if len(stroke)
        ]
    except (ElementTree.ParseError, KeyError, ValueError) as error:
        raise IamError(f"{path}: expected <Stroke> with <Point x= y=>, {error}") from error


def _transcript_line(folder: Path, path: Path, form: str, number: str) -> str:
    file = folder / "ascii" / path.parent.parent.name / path.parent.name / f"{form}.txt"
    if not file.exists():
        raise IamError(f"{path}: expected its text at {file}, found no such file")
    content = file.read_text(encoding="utf-8", errors="replace")
    _, found, transcript = content.partition(TRANSCRIPT)
    lines = [line.strip() for line in transcript.splitlines() if line.strip()]
    if not found or not number.isdigit() or not 1 <= int(number) <= len(lines):
        raise IamError(f"{file}: expected {TRANSCRIPT!r} and a line {number} below it")
    return lines[int(number) - 1]
