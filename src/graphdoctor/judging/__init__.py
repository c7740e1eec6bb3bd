"""Recordings in, report out: the one pipeline, for static and runtime analysis."""

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from graphdoctor.judging.checks import check_paths, check_text
    from graphdoctor.judging.modules import check_module, open_project
    from graphdoctor.judging.pipeline import judge
    from graphdoctor.judging.reporting import judge_recordings
    from graphdoctor.judging.session import Session

__all__ = [
    "Session",
    "check_module",
    "check_paths",
    "check_text",
    "judge",
    "judge_recordings",
    "open_project",
]

# Loaded when first asked for: where no file has changed, `check` needs neither interpreter nor rules.
_HOMES = {
    "Session": "session",
    "check_module": "modules",
    "check_paths": "checks",
    "check_text": "checks",
    "judge": "pipeline",
    "judge_recordings": "reporting",
    "open_project": "modules",
}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(name)
    return getattr(importlib.import_module(f"graphdoctor.judging.{_HOMES[name]}"), name)
