"""The command line: one file per command; the only place that prints and exits."""

from graphdoctor.cli.main import main

__all__ = ["main"]
