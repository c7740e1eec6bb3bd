"""The manual page `graphdoctor.1`, from the command line's own help.

python -m docs.builder.manual docs/man/graphdoctor.1
"""

import inspect
import pathlib
import sys
from collections.abc import Iterator

import click
from docs.builder.commands import help_context

from graphdoctor.cli.main import COMMANDS, commands
from graphdoctor.version import __version__

WIDTH = 78
EXITS = (
    ("0", "Nothing was found, or the program ended well and did nothing that is not allowed."),
    ("1", "Something was found, or the program did what is not allowed."),
    ("2", "Something could not be looked at, or the command line is wrong."),
)


def render_manual() -> str:
    """The page in the language of man(7)."""
    return "\n".join(_lines()) + "\n"


def _lines() -> Iterator[str]:
    group = help_context(WIDTH)
    yield f'.TH GRAPHDOCTOR 1 "" "graphdoctor {__version__}" "User Commands"'
    yield from (
        ".SH NAME",
        "graphdoctor \\- find, explain and fix what breaks or slows TensorFlow in graph mode",
    )
    yield from (".SH SYNOPSIS", ".B graphdoctor", r"\fICOMMAND\fR [\fIOPTIONS\fR] [\fIARGUMENTS\fR]")
    yield from (".SH DESCRIPTION", *_verbatim(commands.help or ""))
    yield ".SH COMMANDS"
    for name in COMMANDS:
        command = commands.get_command(group, name)
        assert command is not None
        context = click.Context(command, info_name=name, parent=group, terminal_width=WIDTH)
        usage = " ".join(command.collect_usage_pieces(context))
        yield from (f".SS graphdoctor {name} {_escaped(usage)}", *_verbatim(command.help or ""))
        for parameter in command.get_params(context):
            record = parameter.get_help_record(context)
            if record is not None:
                yield from (
                    ".TP",
                    f"\\fB{_escaped(record[0])}\\fR",
                    _escaped(" ".join(record[1].split())) or "\\&",
                )
    yield ".SH EXIT STATUS"
    for code, meaning in EXITS:
        yield from (".TP", f"\\fB{code}\\fR", meaning)
    yield "`graphdoctor run` ends as the program ended, by its exit code or signal, unless that is 0."


def _verbatim(help_text: str) -> Iterator[str]:
    """Paragraphs; those marked for click with a backspace keep their lines."""
    for paragraph in inspect.cleandoc(help_text).split("\n\n"):
        kept = paragraph.startswith("\b")
        yield ".PP"
        yield from [".nf"] if kept else []
        yield from (_escaped(line) for line in paragraph.lstrip("\b").strip("\n").split("\n"))
        yield from [".fi"] if kept else []


def _escaped(text: str) -> str:
    """A line as man(7) prints it: all ASCII, with minus signs, and a first character that orders nothing."""
    text = text.replace("\\", "\\e").replace("-", "\\-")
    text = "".join(c if c.isascii() else f"\\[u{ord(c):04X}]" for c in text)
    return "\\&" + text if text[:1] in (".", "'") else text


if __name__ == "__main__":
    pathlib.Path(sys.argv[1]).write_text(render_manual(), encoding="utf-8")
