"""AutoGraph's own log, of the user's code only."""

import re
import textwrap

from graphdoctor.autograph.traces.tracing import Traced

WIDTH = 100
FUNCTION = re.compile(r"<function ([\w.]+(?:<\w+>)?[\w.]*) at 0x[0-9a-f]+>")
METHOD = re.compile(r"<bound method ([\w.]+) of <[^<>]*>>")
ADDRESS = re.compile(r" at 0x[0-9a-f]+")


def render_log(traced: Traced, verbosity: int) -> str:
    """The lines of the log up to a level that are about functions of the user's."""
    kept: list[str] = []
    hidden = 0
    for entry in traced.watch.log:
        if entry.level > verbosity:
            continue
        if not entry.about_user and entry.level > 0:
            hidden += 1
            continue
        text = f"[{entry.level}] {_readable(entry.text)}"
        if text not in kept[-1:]:
            kept.append(text)
    head = f"AutoGraph's log at verbosity {verbosity}; {hidden} lines about libraries left out"
    lines = [part for text in [head, *kept] for line in text.splitlines() for part in _wrapped(line)]
    return "\n".join(lines) + "\n"


def _wrapped(line: str) -> list[str]:
    indent = " " * (len(line) - len(line.lstrip()) + 4)
    parts = textwrap.wrap(line, WIDTH, subsequent_indent=indent, drop_whitespace=False)
    return [part.rstrip() for part in parts] or [""]


def _readable(text: str) -> str:
    return ADDRESS.sub("", METHOD.sub(r"\1", FUNCTION.sub(r"\1", text))).rstrip()
