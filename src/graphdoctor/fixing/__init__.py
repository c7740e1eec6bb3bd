"""Findings → changed files."""

from graphdoctor.fixing.fixing import Outcome, fix_paths, fix_text
from graphdoctor.fixing.notebooks import notebook_fixes

__all__ = ["Outcome", "fix_paths", "fix_text", "notebook_fixes"]
