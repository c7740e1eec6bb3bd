"""`--arg` texts and recorded traces → example arguments."""

import ast
import re
import types
from typing import Any

from graphdoctor.autograph.targets.target import SHAPED, evaluate
from graphdoctor.errors import ExplainError
from graphdoctor.recording import Argument, Recording, Trace

SPECIFICATION = re.compile(r"^\s*(?P<dtype>[a-z]\w*)\s*\[(?P<shape>[^\]]*)\]\s*$")


def parse_examples(texts: tuple[str, ...], module: types.ModuleType) -> dict[str, Any]:
    """`x=float32[None,80]` gives a TensorSpec; anything else is an expression in the module's namespace."""
    found = {}
    for text in texts:
        name, separator, value = text.partition("=")
        if not separator or not name.strip().isidentifier() or not value.strip():
            raise ExplainError(f"--arg {text}: expected NAME={SHAPED} or NAME=VALUE")
        specification = parse_specification(value)
        if specification is None:
            specification = evaluate(value, module, f"--arg {name.strip()}=")
        found[name.strip()] = specification
    return found


def parse_specification(text: str) -> Any | None:
    """A TensorSpec from `float32[None,80]`; None when the text is no such thing."""
    import tensorflow as tf

    match = SPECIFICATION.match(text)
    if match is None:
        return None
    try:
        dtype = tf.dtypes.as_dtype(match["dtype"])
    except TypeError:
        return None
    return tf.TensorSpec(_shape(match["shape"], text), dtype)


def _shape(text: str, whole: str) -> list[int | None] | None:
    if text.strip() == "...":
        return None
    sizes = [size.strip() for size in text.split(",") if size.strip()]
    for size in sizes:
        if size not in ("None", "?") and not size.isdecimal():
            raise ExplainError(
                f"{whole.strip()}: `{size}` is no size: expected numbers and None, as in [None,80]"
            )
    return [None if size in ("None", "?") else int(size) for size in sizes]


def examples_from_recording(recording: Recording, name: str, line: int) -> dict[str, Any]:
    """The arguments of the function's last trace in a recording, as specifications and values."""
    traces = traces_of(recording, name, line)
    if not traces:
        raise ExplainError(f"{recording.path}: holds no trace of `{name}`; give its arguments with --arg")
    entries = {argument.path: argument for argument in traces[-1].arguments}
    top = [path for path in entries if path.isidentifier() and path != "self"]
    return {path: _rebuild(path, entries) for path in top}


def traces_of(recording: Recording, name: str, line: int) -> list[Trace]:
    """The traces of one function, by name and line (by name alone when the file has changed since)."""
    named = [trace for trace in recording.traces if trace.function.name == name]
    return [trace for trace in named if trace.function.line == line] or named


def _rebuild(path: str, entries: dict[str, Argument]) -> Any:
    import tensorflow as tf

    entry = entries[path]
    if entry.kind == "tensor":
        return tf.TensorSpec(entry.shape, tf.dtypes.as_dtype(entry.dtype))
    if entry.kind == "value":
        return _literal(path, entry.text)
    if entry.kind in ("list", "tuple"):
        items = [_rebuild(f"{path}[{index}]", entries) for index in range(entry.length)]
        return items if entry.kind == "list" else tuple(items)
    if entry.kind == "dict":
        keys = [_literal(path, key) for key in entry.keys]
        return {key: _rebuild(f"{path}[{_quoted(key)}]", entries) for key in keys}
    kind = entry.type or entry.kind
    raise ExplainError(f"`{path}` was a {kind}, which a recording cannot hold: give it with --arg {path}=…")


def _literal(path: str, text: str) -> Any:
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError):
        raise ExplainError(f"`{path}` was {text}, which cannot be rebuilt: give it with --arg") from None


def _quoted(key: Any) -> str:
    return f'"{key}"' if isinstance(key, str) and key.isidentifier() else repr(key)
