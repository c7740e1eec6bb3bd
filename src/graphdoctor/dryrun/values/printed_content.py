"""Texts that a program puts together, and what they show: a tensor, something about tracing, a constant."""

import ast
import re
import string
from collections.abc import Iterable, Iterator, Mapping

from graphdoctor.dryrun.control.staging import is_symbolic
from graphdoctor.dryrun.core.machine import Machine
from graphdoctor.dryrun.values import (
    AbstractNumber,
    AbstractString,
    Constant,
    Dictionary,
    DType,
    Sequence,
    StaticShape,
    Tensor,
    Union,
    Unknown,
    Value,
    Variable,
)
from graphdoctor.dryrun.values.joining import python_type

STATIC = ("shape", "dtype", "ndim", "rank", "name", "__name__", "get_shape")
ABOUT = (
    "type",
    "isinstance",
    "issubclass",
    "hasattr",
    "callable",
    "len",
    "id",
)  # the same while the graph runs
DEEPEST = 3
PERCENT = re.compile(r"%(?:%|[-+ #0]*\d*(?:\.\d+)?([a-zA-Z]))")


def shown(values: Iterable[Value], node: ast.AST) -> str:
    """`tracing`: it speaks of it · `tensor`: symbolic · `static`: shapes, dtypes · `constant` · `python`.

    `array`: symbolic, and none of it is known to be a single figure, or its shape is to be seen.
    `formatted`: a symbolic tensor that Python is to format, as `{loss:.3f}`, which raises. `python`: numbers
    and texts of Python's, whichever; empty if unknown.
    """
    values = list(values)
    parts = [part for value in values for part in _parts(value)]
    texts = [part.value for part in parts if isinstance(part, Constant) and isinstance(part.value, str)]
    if any("trac" in text.lower() for text in texts):
        return "tracing"
    symbolic = [part for part in parts if _is_symbolic(part)]
    if symbolic:
        if any(map(_formats, values, getattr(node, "args", ()))):
            return "formatted"
        of_shape = any("shape" in text.lower() for text in texts)  # which a symbolic tensor shows as well
        return "tensor" if any(map(_is_a_figure, symbolic)) and not of_shape else "array"
    rest = [part for part in parts if not isinstance(part, Constant)]
    if not rest:
        return "static" if _static_nodes(node) else "constant"
    if all(isinstance(part, (StaticShape, DType)) for part in rest) or _only_static(node):
        return "static"
    return "python" if all(isinstance(part, (AbstractNumber, StaticShape, DType)) for part in rest) else ""


def _is_symbolic(value: Value) -> bool:
    return isinstance(value, Variable) or (isinstance(value, Tensor) and value.graph is not None)


def _is_a_figure(value: Value) -> bool:
    """Whether it is one floating point number, as a loss or a rate is: somebody wants to see each of them."""
    if not isinstance(value, Tensor | Variable) or value.shape != ():
        return False
    return value.dtype is None or "float" in value.dtype


def _formats(value: Value, node: ast.AST) -> bool:
    return isinstance(value, AbstractString) and any(refused(value, node))


def refused(text: AbstractString, node: ast.AST) -> Iterator[Tensor]:
    """The symbolic tensors to which a text gives a format: a TypeError (run on 2.21)."""
    if isinstance(node, ast.JoinedStr):
        given: Iterable[Value] = text.parts
        asked = [isinstance(part, ast.FormattedValue) and _has_format(part) for part in node.values]
    else:
        first, *given = text.parts
        pattern = first.value if isinstance(first, Constant) and isinstance(first.value, str) else ""
        asked = _asked_by(pattern, node)
    for value, has_format in zip(given, asked, strict=False):
        if has_format and isinstance(value, Tensor) and value.graph is not None:
            yield value


def _asked_by(pattern: str, node: ast.AST) -> list[bool]:
    """Whether each value that a text shows has a format."""
    if isinstance(node, ast.BinOp):
        return [letter not in "sra" for letter in PERCENT.findall(pattern) if letter]
    return _asked_by_format(pattern) if isinstance(node, ast.Call) else []


def _has_format(part: ast.FormattedValue) -> bool:
    return part.format_spec is not None and part.conversion == -1


def _asked_by_format(pattern: str) -> list[bool]:
    """Whether each value that `pattern.format(…)` shows has a format; none where it names one."""
    try:
        fields = [field for field in string.Formatter().parse(pattern) if field[1] is not None]
    except ValueError:
        return []
    return (
        []
        if any(name for _, name, _, _ in fields)
        else [bool(spec) and not way for _, _, spec, way in fields]
    )


def _parts(value: Value, depth: int = 0) -> Iterator[Value]:
    inner: Iterable[Value] = ()
    if isinstance(value, AbstractString):
        inner = value.parts
    elif isinstance(value, Sequence):
        inner = value.members
    elif isinstance(value, Dictionary):
        inner = value.entries.values()
    elif isinstance(value, Union):
        inner = value.alternatives
    if not inner or depth > DEEPEST:
        yield value
        return
    for part in inner:
        yield from _parts(part, depth + 1)


def is_made_of_tensors(node: ast.AST, bound: Mapping[str, ast.AST], cells: Mapping[str, object]) -> bool:
    """Whether a message names what a function that is unknown has made of symbolic tensors."""
    names = [part.id for part in _other_nodes(node) if isinstance(part, ast.Name)]
    calls = [getattr(bound.get(name), "value", None) for name in names]
    given = {
        part.id
        for call in calls
        if isinstance(call, ast.Call)
        for argument in call.args
        for part in ast.walk(argument)
        if isinstance(part, ast.Name)
    }
    parts = [part for name in given if isinstance(value := cells.get(name), Value) for part in _parts(value)]
    return any(isinstance(part, Tensor) and part.graph is not None for part in parts)


def _only_static(node: ast.AST) -> bool:
    """Whether all that is not constant is written as a shape, a dtype or a name."""
    static, others = _static_nodes(node), _other_nodes(node)
    return bool(static) and not others


def _static_nodes(node: ast.AST) -> list[ast.expr]:
    return [part for part in _expressions(node) if _is_static(part)]


def _other_nodes(node: ast.AST) -> list[ast.expr]:
    return [part for part in _expressions(node) if not _is_static(part)]


def _expressions(node: ast.AST) -> Iterator[ast.expr]:
    """The expressions of a message whose values are shown."""
    arguments = node.args if isinstance(node, ast.Call) else ()
    for argument in arguments:
        yield from _spoken(argument)


def _spoken(node: ast.expr) -> Iterator[ast.expr]:
    if isinstance(node, ast.JoinedStr):
        for part in node.values:
            if isinstance(part, ast.FormattedValue):
                yield from _spoken(part.value)
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "format":
        for argument in node.args:
            yield from _spoken(argument)
    elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod):
        yield from _spoken(node.right)
    elif isinstance(node, ast.Tuple):
        for part in node.elts:
            yield from _spoken(part)
    elif not isinstance(node, ast.Constant):
        yield node


def _is_static(node: ast.expr) -> bool:
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        name = node.func.id
        return name in ABOUT or (name in ("list", "tuple", "str") and all(map(_is_static, node.args)))
    if isinstance(node, ast.Call):
        return isinstance(node.func, ast.Attribute) and _is_static(node.func)
    if isinstance(node, ast.Subscript):
        return _is_static(node.value)
    if isinstance(node, ast.Attribute):
        return node.attr in STATIC or _is_static(node.value)
    return False


# What these are given, people read: an assertion's message, the name of an operation.
FOR_PEOPLE = ("message", "name", "summarize", "err_msg", "desc")
PLAIN = frozenset((Constant, Tensor, Unknown))  # most values are one of these
SPEAKING = ("builtins.", "logging.", "absl.logging.", "warnings.", "traceback.", "sys.", "tqdm.", "rich.")


def text_of(
    machine: Machine, parts: Iterable[tuple[Value, ast.AST]], how: str, whole: ast.AST | None = None
) -> Value:
    """A text that shows these values, each with the expression that gave it; `whole` is all of it."""
    uses: list[int] = []
    values: list[Value] = []
    for value, node in parts:
        values.append(value)
        if is_symbolic(machine, value):
            position = machine.log.use("text", node, value, how)
            if position is not None:
                uses.append(position)
        elif isinstance(value, AbstractString):
            uses += value.uses
    few = all(isinstance(value, Constant) or getattr(value, "few", False) for value in values)
    made = AbstractString(tuple(values), tuple(uses), few)
    if whole is not None:
        for tensor in refused(made, whole):
            machine.log.use("format", whole, tensor, how)
    return made


def is_text(value: Value) -> bool:
    """Whether a value is surely a text."""
    return python_type(value) == "str"


def note_texts(machine: Machine, values: Iterable[Value], into: str, depth: int = 0) -> None:
    """Write down that texts with tensors in them are computed with, kept or given back."""
    for value in values:
        if value.__class__ in PLAIN:
            continue
        if isinstance(value, AbstractString):
            for position in value.uses:
                machine.log.went_into(position, into)
        elif isinstance(value, Union):
            note_texts(machine, value.alternatives, into, depth)
        elif isinstance(value, Sequence) and value.items is not None and depth < 3:
            note_texts(machine, value.items, into, depth + 1)


def note_given_texts(
    machine: Machine, name: str, positional: list[Value], keywords: dict[str, Value]
) -> None:
    """Write down that a library function gets such texts, unless it shows them to people."""
    given = [value for value in positional if value.__class__ not in PLAIN]
    if keywords:
        given += [value for key, value in keywords.items() if key not in FOR_PEOPLE]
    if given and not name.startswith(SPEAKING) and ".debugging." not in name:
        note_texts(machine, given, name)
