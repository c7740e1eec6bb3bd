"""Findings → text: for a terminal, and as JSON."""

from graphdoctor.reports.formats import FORMATS, format_for, write_report

__all__ = ["FORMATS", "format_for", "write_report"]
