"""How well a machine reads a line: tesseract's character error rate."""

import os
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from PIL import Image

PROGRAM = "tesseract"


class OcrError(RuntimeError):
    """The reading program is missing or failed."""


def read_images(images: Sequence[Image.Image]) -> list[str]:
    """What tesseract reads in images of one line each."""
    if shutil.which(PROGRAM) is None:
        raise OcrError(f"{PROGRAM} was not found: install it (Debian: apt install tesseract-ocr)")
    with TemporaryDirectory() as folder:
        paths = [Path(folder) / f"{number}.png" for number in range(len(images))]
        for path, image in zip(paths, images, strict=True):
            image.save(path)
        return [_read(path) for path in paths]


def _read(path: Path) -> str:
    # Page segmentation 7 means: the image is one line of text.
    command = [PROGRAM, str(path), "-", "--psm", "7"]
    environment = {**os.environ, "OMP_THREAD_LIMIT": "1"}
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    if done.returncode:
        raise OcrError(f"{' '.join(command)}: {done.stderr.strip()}")
    return " ".join(done.stdout.split())


def edit_distance(left: str, right: str) -> int:
    """The fewest insertions, deletions and replacements that turn one text into the other."""
    row = list(range(len(right) + 1))
    for number, character in enumerate(left, start=1):
        before, row[0] = row[0], number
        for place, other in enumerate(right, start=1):
            replaced = before + (character != other)
            before = row[place]
            row[place] = min(before + 1, row[place - 1] + 1, replaced)
    return row[-1]


def error_rate(texts: Sequence[str], readings: Sequence[str]) -> float:
    """Edit distance over all characters."""
    wrong = sum(map(edit_distance, texts, readings))
    return wrong / sum(map(len, texts))
