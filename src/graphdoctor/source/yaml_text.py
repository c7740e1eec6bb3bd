"""Settings that are written in YAML: the part of the language that files of settings use.

Nothing is guessed: a text with anything else in it (anchors, tags, blocks of text, several documents) is
not read at all. Numbers are what PyYAML makes of them: `1e-3` is a text, `1.0e-3` is a number.
"""

import re
from typing import Any

INTEGER = re.compile(r"[-+]?(0|[1-9][0-9]*)\Z")
FLOAT = re.compile(r"([-+]?[0-9]+\.[0-9]*|\.[0-9]+)([eE][-+][0-9]+)?\Z")
OTHER = re.compile(
    r"[-+.]*[0-9][\w.]*[_:xo]|[-+]?0[0-9]|[0-9]+-[0-9]|[-+]?\.(inf|nan)\b|- |-\Z", re.IGNORECASE
)
PLAIN = re.compile(r"[A-Za-z0-9_./~+-][^#\[\]{}&*!|>%@`'\"]*\Z")
KEY = re.compile(r"(?P<key>[A-Za-z_][\w.-]*|\"[^\"\\]*\"|'[^']*')\s*:(?:\s+(?P<rest>.*))?\Z")
WORDS = {
    "true": True, "yes": True, "on": True, "false": False, "no": False, "off": False,
    "null": None, "~": None, "": None,
}  # fmt: skip
LINE = tuple[int, str]


class NotPlainError(Exception):
    """The text has something in it that is not read here."""


def parse_yaml(text: str) -> Any:
    """What a text says; NotPlainError where it is more than mappings, lists, numbers, flags and texts."""
    lines = [
        (len(line) - len(line.lstrip(" ")), line.strip()) for line in map(_uncommented, text.split("\n"))
    ]
    lines = [line for line in lines if line[1]]
    if lines and lines[0] == (0, "---"):
        del lines[0]
    if not lines:
        return None
    value = _block(lines, lines[0][0])
    if lines:
        raise NotPlainError(lines[0][1])
    return value


def _uncommented(line: str) -> str:
    """A line without its comment; a `#` within quotes is none."""
    quote = ""
    for position, letter in enumerate(line):
        if quote:
            quote = "" if letter == quote else quote
        elif letter in "'\"":
            quote = letter
        elif letter == "#" and (position == 0 or line[position - 1] == " "):
            return line[:position]
    if quote or "\t" in line:
        raise NotPlainError(line)
    return line


def _block(lines: list[LINE], indent: int) -> Any:
    """The mapping or list that begins with the first line; its lines are taken away."""
    return _list(lines, indent) if _is_item(lines[0][1]) else _mapping(lines, indent)


def _is_item(text: str) -> bool:
    return text == "-" or text.startswith("- ")


def _list(lines: list[LINE], indent: int) -> list[Any]:
    found = []
    while lines and lines[0][0] == indent and _is_item(lines[0][1]):
        text = lines.pop(0)[1][1:]
        rest = text.strip()
        if rest and (_is_item(rest) or KEY.match(rest)):
            inner = indent + 1 + len(text) - len(text.lstrip(" "))
            lines.insert(0, (inner, rest))
            found.append(_block(lines, inner))
        else:
            found.append(_scalar(rest) if rest else _below(lines, indent + 1))
    return found


def _mapping(lines: list[LINE], indent: int) -> dict[str, Any]:
    found: dict[str, Any] = {}
    while lines and lines[0][0] == indent and not _is_item(lines[0][1]):
        matched = KEY.match(lines[0][1])
        if matched is None:
            raise NotPlainError(lines[0][1])
        key, rest = matched["key"].strip("\"'"), (matched["rest"] or "").strip()
        if key in found or key.lower() in WORDS:
            raise NotPlainError(key)
        del lines[0]
        items = bool(lines) and lines[0][0] == indent and _is_item(lines[0][1])
        found[key] = _scalar(rest) if rest else _below(lines, indent if items else indent + 1)
    return found


def _below(lines: list[LINE], indent: int) -> Any:
    """What stands on the next lines, as far in as this; None when nothing does."""
    return _block(lines, lines[0][0]) if lines and lines[0][0] >= indent else None


def _scalar(text: str) -> Any:
    """A value on one line."""
    if text[0] in "[{":
        value, rest = _flow(text)
        if rest.strip():
            raise NotPlainError(text)
        return value
    return _single(text)


def _single(text: str) -> Any:
    if text[0] in "'\"" and text[-1] == text[0] and len(text) > 1:
        inner = text[1:-1]
        if text[0] in inner or "\\" in inner:
            raise NotPlainError(text)
        return inner
    if text.lower() in WORDS and text in (text.lower(), text.title(), text.upper()):
        return WORDS[text.lower()]
    if INTEGER.match(text):
        return int(text)
    if FLOAT.match(text):
        return float(text)
    if not PLAIN.match(text) or OTHER.match(text) or ": " in text or text.endswith(":"):
        raise NotPlainError(text)
    return text


def _flow(text: str) -> tuple[Any, str]:
    """A value that begins a text within `[…]` or `{…}`, and what follows it."""
    text = text.lstrip()
    if text[:1] == "[":
        return _flow_items(text[1:], "]", [])
    if text[:1] == "{":
        return _flow_items(text[1:], "}", {})
    end = re.match(r"'[^']*'|\"[^\"]*\"|[^,\[\]{}:]+", text)
    if end is None:
        raise NotPlainError(text)
    return _single(end.group().strip()), text[end.end() :]


def _flow_items(text: str, close: str, found: Any) -> tuple[Any, str]:
    while True:
        text = text.lstrip()
        if text[:1] == close:
            return found, text[1:]
        value, text = _flow(text)
        if isinstance(found, dict):
            if not isinstance(value, str) or not text.startswith(": "):
                raise NotPlainError(text)
            found[value], text = _flow(text[2:])
        else:
            found.append(value)
        text = text.lstrip()
        if text[:1] == ",":
            text = text[1:]
        elif text[:1] != close:
            raise NotPlainError(text)
