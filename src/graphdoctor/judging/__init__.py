"""Recordings in, report out: the one door, for both halves."""

from graphdoctor.judging.checks import check_paths, check_text
from graphdoctor.judging.door import judge
from graphdoctor.judging.modules import check_module, open_project
from graphdoctor.judging.reporting import judge_recordings

__all__ = [
    "check_module",
    "check_paths",
    "check_text",
    "judge",
    "judge_recordings",
    "open_project",
]
