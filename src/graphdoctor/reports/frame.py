"""What every page of graphdoctor has: one file that needs nothing but a browser, everything escaped."""

import base64
import hashlib
import pathlib
import re

import jinja2
from markupsafe import Markup, escape

from graphdoctor.model import Report
from graphdoctor.model.words import count, duration, printable, share
from graphdoctor.reports.page_data import page_data
from graphdoctor.reports.summary import hidden_text

PAGE = pathlib.Path(__file__).parent / "page"
UNSAFE_IN_IDENTIFIERS = re.compile(r"[^A-Za-z0-9._-]+")


def render_frame(template: str, report: Report, **values: object) -> str:
    """The page that a template makes; the traces of the report are the data of its script."""
    script = (PAGE / "report.js").read_text(encoding="utf-8")
    tensorflow = f" · TensorFlow {report.tensorflow}" if report.tensorflow else ""
    return (
        _environment()
        .get_template(template)
        .render(
            report=report,
            versions=f"{report.graphdoctor}{tensorflow}",
            style=Markup((PAGE / "report.css").read_text(encoding="utf-8")),
            script=Markup(script),
            script_hash=base64.b64encode(hashlib.sha256(script.encode()).digest()).decode(),
            data=Markup(page_data(report)),
            **values,
        )
    )


def _environment() -> jinja2.Environment:
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(PAGE),
        autoescape=True,
        finalize=_shown,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
    )
    environment.filters.update(
        code=_with_code, duration=duration, lines=_lines, size=_size, hidden=hidden_text
    )
    environment.globals.update(count=count, line_anchor=line_anchor, share=share)
    return environment


def _shown(value: object) -> object:
    """Texts of the user's program without characters that iteration the direction of writing or hide."""
    if isinstance(value, str) and not isinstance(value, Markup):
        return "\t".join(map(printable, value.split("\t")))
    return value


def _lines(text: str) -> Markup:
    """A text of several lines, for where a line break is one."""
    return Markup("\n").join(str(_shown(line)) for line in text.split("\n"))


def _with_code(text: str) -> Markup:
    """Names in backticks as code."""
    pieces = printable(text).split("`")
    if len(pieces) % 2 == 0:  # an odd backtick of the program's own
        return escape("`".join(pieces))
    return Markup("").join(
        Markup("<code>{}</code>").format(piece) if index % 2 else escape(piece)
        for index, piece in enumerate(pieces)
    )


def _size(size_bytes: int) -> str:
    if size_bytes >= 1e5:
        return f"{size_bytes / 1e6:,.1f} MB"
    return f"{size_bytes / 1e3:.0f} kB" if size_bytes else ""


def line_anchor(path: str, cell: int | None, line: int) -> str:
    """The name under which a line of source can be linked to."""
    within = "" if cell is None else f"-cell{cell}"
    return identifier(f"line-{path}{within}-{line}")


def identifier(text: str) -> str:
    """The text as the name of an element."""
    return UNSAFE_IN_IDENTIFIERS.sub("_", text)[:200]
