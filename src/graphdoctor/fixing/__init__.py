"""Findings → changed files."""

from graphdoctor.fixing.fixing import Outcome, fix_paths, fix_text

__all__ = ["Outcome", "fix_paths", "fix_text"]
