"""Which format a report is written in, by name or by the extension of a file."""

import os

from graphdoctor.errors import GraphdoctorError
from graphdoctor.model import Report

FORMATS = ("text", "concise", "json", "sarif", "github", "html")
# The timeline of a run, for ui.perfetto.dev; only a run has one, so that it is no format by name.
TRACE_EXTENSION = ".perfetto.json"
EXTENSIONS = {".txt": "text", ".json": "json", ".sarif": "sarif", ".html": "html"}


def format_for(path: str) -> str:
    """The format that belongs to a file's extension."""
    if path.lower().endswith(TRACE_EXTENSION):
        return "perfetto"
    extension = os.path.splitext(path)[1].lower()
    if extension not in EXTENSIONS:
        known = ", ".join(EXTENSIONS)
        raise GraphdoctorError(f"-o {path}: the extension must be one of {known}, not `{extension}`")
    return EXTENSIONS[extension]


def render(report: Report, output_format: str) -> str:
    """The report as text in one of FORMATS, without colour."""
    if output_format == "json":
        return report.to_json().decode()
    if output_format == "sarif":
        from graphdoctor.reports.sarif import render_sarif

        return render_sarif(report)
    if output_format in ("concise", "github"):
        from graphdoctor.reports import lines

        return lines.render_concise(report) if output_format == "concise" else lines.render_github(report)
    if output_format == "perfetto":
        from graphdoctor.reports.perfetto import render_perfetto

        return render_perfetto(report)
    if output_format == "html":
        from graphdoctor.reports.html import render_page

        return render_page(report)
    from graphdoctor.reports.terminal import render_plain

    return render_plain(report)


def write_report(report: Report, path: str) -> None:
    """Write the report to a file, in the format of its extension."""
    text = render(report, format_for(path))
    try:
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
    except OSError as error:
        raise GraphdoctorError(f"-o {path}: cannot be written: {error.strerror}") from error
