"""Whole texts kept in files; GRAPHDOCTOR_UPDATE_SNAPSHOTS=1 writes them again."""

import os
import pathlib

FOLDER = pathlib.Path(__file__).parents[1] / "snapshots" / "explain"


def check_snapshot(name: str, text: str) -> None:
    """Fail unless the text is what the file holds."""
    path = FOLDER / name
    if os.environ.get("GRAPHDOCTOR_UPDATE_SNAPSHOTS"):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8")
