"""Python text without what its author wrote as values: for reports that are given to others."""

import ast
import io
import re
import tokenize

PREFIXED = re.compile(r"0[xXoObB]")
QUOTES = re.compile(r"(?P<open>[A-Za-z]*(?P<quote>\"\"\"|'''|\"|'))(?P<inside>.*)(?P=quote)", re.DOTALL)
SILENCING = re.compile(r"#\s*noqa\b", re.IGNORECASE)
INSIDE_F_STRING = getattr(tokenize, "FSTRING_MIDDLE", -1)  # from Python 3.12 on, a token of its own


def without_literals(text: str) -> str:
    """The text with `0` for each digit of a number, `*` for each character of a string or comment.

    What stands where stays, and so does every name. ValueError when the text is not Python.
    """
    try:
        masked = "".join(_pieces(text))
        ast.parse(masked)
    except (SyntaxError, tokenize.TokenError, RecursionError, MemoryError) as error:
        raise ValueError(str(error)) from error
    return masked


def _pieces(text: str) -> list[str]:
    lines = io.StringIO(text).readlines()  # which a form feed does not end
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line))
    pieces, done = [], 0
    for token in tokenize.generate_tokens(iter(lines).__next__):
        first, last = (starts[row - 1] + column for row, column in (token.start, token.end))
        masked = _masked(token.type, text[first:last])
        if masked is not None and first >= done:
            pieces += [text[done:first], masked]
            done = last
    return [*pieces, text[done:]]


def _masked(kind: int, written: str) -> str | None:
    if kind == tokenize.NUMBER:
        prefix = PREFIXED.match(written)
        digits, base = ("[0-9a-fA-F]", prefix[0]) if prefix else (r"\d", "")
        return base + re.sub(digits, "0", written[len(base) :])
    if kind == tokenize.STRING and (parts := QUOTES.fullmatch(written)):
        return f"{parts['open']}{_stars(parts['inside'])}{parts['quote']}"
    if kind == INSIDE_F_STRING:
        return _stars(written)
    if kind == tokenize.COMMENT and not SILENCING.match(written):
        return "#" + _stars(written[1:])
    return None


def _stars(text: str) -> str:
    """As many as the text has bytes: syntax trees count columns in these."""
    return "".join(c if c in "\r\n" else "*" * len(c.encode("utf-8", "replace")) for c in text)
