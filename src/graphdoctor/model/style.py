"""Edits in the style of the file that they change: its indentation, its quotes, its line ends."""

import contextlib
import io
import re
import tokenize
from collections import Counter

from msgspec.structs import replace

from graphdoctor.model.edit import Edit

OURS = "    "
INDENT = re.compile(r"[ \t]*")


class Style:
    """How a text is written."""

    def __init__(self, text: str) -> None:
        self._lines = text.split("\n")
        self.newline = "\r\n" if "\r\n" in text else "\n"
        self.indent, self.quote = _indent_and_quote(text)

    def of(self, edit: Edit) -> Edit:
        """The edit in this style; what it takes over from the file is in it already."""
        line = self._lines[edit.line - 1] if edit.line <= len(self._lines) else ""
        begin = line if edit.column > 1 else ""
        text = edit.text.replace("\r\n", "\n")
        if self.indent != OURS:
            text = self._indented(text, begin)
        if self.quote != '"':
            text = self._quoted(text)
        return replace(edit, text=text.replace("\n", self.newline))

    def _quoted(self, text: str) -> str:
        """The text with the file's quotes around plain texts of our own."""
        lines = f"({text}\n)".split("\n")  # in parentheses the indentation of a fragment does not matter
        found = []
        with contextlib.suppress(tokenize.TokenError, SyntaxError):
            for token in tokenize.generate_tokens(iter(f"{line}\n" for line in lines).__next__):
                if token.type == tokenize.STRING and self._is_ours(token.string):
                    found.append((token.start, token.end))
        for (row, start), (_, end) in reversed(found):
            line = lines[row - 1]
            written = line[start:end].replace('"', self.quote)
            lines[row - 1] = line[:start] + written + line[end:]
        return "\n".join(lines)[1:-2]

    def _is_ours(self, written: str) -> bool:
        plain = '"' in written and not any(each in written for each in ("'", "\\", '"""', "\n"))
        return plain and not any(written in line for line in self._lines)

    def _indented(self, text: str, begin: str) -> str:
        """The text with the file's indentation where it begins blocks of our own."""
        first, *rest = text.split("\n")
        around = INDENT.match(begin if begin else first)
        base = around[0] if around is not None else ""
        levels, lines = [(base, base)], [first]
        before = first
        for line in rest:
            indent = line[: len(line) - len(line.lstrip(" \t"))]
            if not line.strip():
                lines.append(line)
                continue
            while len(levels) > 1 and len(indent) < len(levels[-1][0]):
                levels.pop()
            was, now = levels[-1]
            if indent.startswith(was) and len(indent) > len(was):
                begins = before.rstrip().endswith(":") and indent == was + OURS
                levels.append((indent, now + (self.indent if begins else indent[len(was) :])))
                now = levels[-1][1]
            elif indent != was:
                now = indent
            lines.append(now + line[len(indent) :])
            before = line
        return "\n".join(lines)


def _indent_and_quote(text: str) -> tuple[str, str]:
    """The indentation of the first block, and the quotes of most texts."""
    indent, quotes = OURS, Counter[str]()
    seen = False
    try:
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            if token.type == tokenize.INDENT and not seen:
                indent, seen = token.string, True
            elif token.type == tokenize.STRING and not token.string.endswith(('"""', "'''")):
                quotes[token.string[-1]] += 1
    except (tokenize.TokenError, SyntaxError):
        return OURS, '"'
    return indent, "'" if quotes["'"] > quotes['"'] else '"'
