"""Folders that a run writes into."""

from __future__ import annotations

import os
from pathlib import Path

from workloads.speech.errors import SpeechError


def make_folder(name: str, setting: str) -> Path:
    """The folder that a setting names, made if need be; a clear error where it cannot be written to."""
    folder = Path(name)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise SpeechError(f"{setting} {name} cannot be made: {error.strerror}") from None
    if not os.access(folder, os.W_OK):
        raise SpeechError(f"{setting} {name} cannot be written to")
    return folder
