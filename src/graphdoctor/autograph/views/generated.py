"""The code that AutoGraph generates, made readable, beside the source it comes from."""

import linecache
import pathlib
import textwrap
import types
from collections import defaultdict

from graphdoctor.autograph import tensorflow_internals as internals
from graphdoctor.autograph.conversion.judging import why_failed
from graphdoctor.autograph.places import shown
from graphdoctor.autograph.statements import first_line, line_range
from graphdoctor.autograph.traces.tracing import Traced
from graphdoctor.autograph.views.readable import statements_by_line

WIDTH = 100
LEFT_LIMIT = 44


def render_code(traced: Traced) -> str:
    """Two columns: the user's lines, and what AutoGraph made of each."""
    function, code = getattr(traced.function, "__func__", traced.function), traced.code
    head = f"{traced.function.__qualname__}  {shown(code.co_filename)}:{code.co_firstlineno}"
    try:
        path, source_map = internals.convert(function)
    except Exception as error:  # AutoGraph gives up with whatever its parser raises
        reason = why_failed(error, code)
        return f"{head}\nNo code was generated: {reason.why}\n  remedy: {reason.remedy}\n"
    generated = _by_user_line(path, source_map, code)
    note = (
        "Right: the generated code, without its bookkeeping; `tf.autograph.to_code` prints it as it is.\n"
        "if_stmt, for_stmt and while_stmt decide, when they run, between Python and the graph."
    )
    return f"{head}\n{note}\n\n" + "\n".join(_rows(code, generated)) + "\n"


def _by_user_line(
    path: str, source_map: dict[tuple[str, int], tuple[str, int]], code: types.CodeType
) -> dict[int, list[str]]:
    text = pathlib.Path(path).read_text(encoding="utf-8")
    found: dict[int, list[str]] = defaultdict(list)
    for line, statement in statements_by_line(text):
        origin = source_map.get((path, line))
        if origin is not None and origin[0] == code.co_filename:
            found[first_line(*origin)].append(statement)
    return found


def _rows(code: types.CodeType, generated: dict[int, list[str]]) -> list[str]:
    lines = line_range(code)
    digits = len(str(lines[-1]))
    texts = [linecache.getline(code.co_filename, number).rstrip("\n").expandtabs(4) for number in lines]
    margin = len(texts[0]) - len(texts[0].lstrip())
    texts = [text[margin:] for text in texts]
    left = min(LEFT_LIMIT, max(map(len, texts)))
    right = WIDTH - left - digits - 5
    rows: list[str] = []
    for number, text in zip(lines, texts, strict=True):
        source = textwrap.wrap(text, left, subsequent_indent="    ", drop_whitespace=False) or [""]
        made = [part for line in generated.get(number, ()) for part in _wrapped(line, right)]
        for index in range(max(len(source), len(made))):
            label = str(number) if index == 0 else ""
            ours = source[index] if index < len(source) else ""
            theirs = made[index] if index < len(made) else ""
            rows.append(f"{label:>{digits}} {ours:<{left}} │ {theirs}".rstrip())
    return rows


def _wrapped(line: str, width: int) -> list[str]:
    indent = " " * (len(line) - len(line.lstrip()) + 4)
    return textwrap.wrap(line, width, subsequent_indent=indent, break_long_words=True, drop_whitespace=True)
