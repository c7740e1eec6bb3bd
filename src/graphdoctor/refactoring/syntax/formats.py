"""Texts that Python fills in (`f"…"`, `"…".format(…)`, `"…" % …`) → their parts, for the graph to fill in."""

import ast
import dataclasses
import itertools
import re
import string
from collections.abc import Callable, Iterable, Iterator, Sequence

from graphdoctor.source.names import dotted_name
from graphdoctor.source.scopes import Scope

SPEC = re.compile(r"(?P<sign>[<>]?)(?P<zero>0?)(?P<width>\d*)(?:\.(?P<precision>\d+))?(?P<kind>[sdifFeE]?)")
PERCENT = re.compile(r"%(?P<spec>0?\d*(?:\.\d+)?)(?P<kind>[sdifFeE%])")


@dataclasses.dataclass(frozen=True, slots=True)
class Filled:
    """A value in a text, as the source writes it, and how it is to look."""

    text: str
    spec: str = ""

    @property
    def has_a_look(self) -> bool:
        """Whether it is to look otherwise than TensorFlow shows it."""
        return bool(self.spec.rstrip("sd"))

    def as_text(self, tensorflow: str) -> str | None:
        """The operation that makes a text of it; None for looks that TensorFlow has not."""
        found = SPEC.fullmatch(self.spec)
        if found is None or (found["precision"] and found["kind"] not in ("f", "F", "e", "E")):
            return None
        options = [f"precision={found['precision']}"] if found["precision"] else []
        if found["kind"] in ("e", "E"):
            options.append("scientific=True")
        if found["width"]:
            options.append(f"width={found['width']}")
        if found["zero"]:
            options.append('fill="0"')
        # `tf.strings.format` would put a text of Python's into quotes.
        return f"{tensorflow}.strings.as_string({', '.join([self.text, *options])})"


Part = str | Filled


def written_parts(parts: Iterable[Part]) -> list[str]:
    """The parts of a text as the arguments of a call."""
    given: list[str] = []
    for is_text, several in itertools.groupby(parts, key=lambda part: isinstance(part, str)):
        if is_text:
            text = "".join(map(str, several))
            given += [quoted(text)] if text else []
        else:
            given += [part.text for part in several if isinstance(part, Filled)]
    return given


def joined_parts(parts: Sequence[Part], tensorflow: str) -> str | None:
    """The operation that makes the text; None where one part cannot look as it should."""
    filled: list[Part] = []
    for part in parts:
        text = part if isinstance(part, str) else part.as_text(tensorflow)
        if text is None:
            return None
        filled.append(text if isinstance(part, str) else Filled(text))
    given = written_parts(filled)
    return f"{tensorflow}.strings.join([{', '.join(given)}])" if len(given) > 1 else given[0]


def quoted(text: str) -> str:
    """A text as a Python literal."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'


def parts_of_text(text: ast.expr, source_of: Callable[[ast.AST], str]) -> list[Part] | None:
    """What a text is made of; a plain one is one part, and None what is no text that is written here."""
    if isinstance(text, ast.Constant):
        return [text.value] if isinstance(text.value, str) else None
    if isinstance(text, ast.JoinedStr):
        parts = [_part(each, source_of) for each in text.values]
        return [each for each in parts if each is not None] if None not in parts else None
    if isinstance(text, ast.BinOp) and isinstance(text.op, ast.Mod):
        several = text.right.elts if isinstance(text.right, ast.Tuple) else [text.right]
        return parts_of_template(text.left, several, source_of)
    if isinstance(text, ast.Call) and isinstance(text.func, ast.Attribute) and text.func.attr == "format":
        return _of_format(text.func.value, text, source_of)
    return None


def parts_of_template(
    template: ast.expr, values: Sequence[ast.expr], source_of: Callable[[ast.AST], str]
) -> list[Part] | None:
    """`"loss %.2f"` and its values, as `%` and `logging` fill them in."""
    if not isinstance(template, ast.Constant) or not isinstance(template.value, str):
        return None
    if any(isinstance(each, ast.Starred | ast.Dict) for each in values):
        return None
    parts: list[Part] = []
    waiting, end = list(values), 0
    for found in PERCENT.finditer(template.value):
        before = template.value[end : found.start()]
        end = found.end()
        parts.append(before)
        if "%" in before or (found["kind"] != "%" and not waiting):
            return None
        if found["kind"] == "%":
            parts.append("%")
            continue
        kind = found["kind"] if found["kind"] in "fFeE" else ""
        precise = kind in ("f", "F", "e", "E") and "." not in found["spec"]
        spec = found["spec"] + (".6" if precise else "") + kind
        parts.append(Filled(source_of(waiting.pop(0)), spec))
    rest = template.value[end:]
    return [*parts, rest] if not waiting and "%" not in rest else None


def _part(part: ast.expr, source_of: Callable[[ast.AST], str]) -> Part | None:
    if isinstance(part, ast.Constant):
        return str(part.value)
    if not isinstance(part, ast.FormattedValue) or part.conversion != -1:
        return None
    spec = part.format_spec
    if spec is None:
        return Filled(ast.unparse(part.value))
    plain = [each.value for each in getattr(spec, "values", []) if isinstance(each, ast.Constant)]
    whole = len(plain) == len(getattr(spec, "values", []))
    return Filled(ast.unparse(part.value), "".join(map(str, plain))) if whole else None


def _of_format(template: ast.expr, call: ast.Call, source_of: Callable[[ast.AST], str]) -> list[Part] | None:
    if not isinstance(template, ast.Constant) or not isinstance(template.value, str):
        return None
    if any(isinstance(each, ast.Starred) for each in call.args) or any(k.arg is None for k in call.keywords):
        return None
    given: dict[str, str] = {str(number): source_of(each) for number, each in enumerate(call.args)}
    given |= {str(keyword.arg): source_of(keyword.value) for keyword in call.keywords}
    return list(_fields(template.value, given)) if _is_known(template.value, given) else None


def _is_known(template: str, given: dict[str, str]) -> bool:
    """Whether each field of a template is a value that is given, and no part of one."""
    try:
        fields = list(string.Formatter().parse(template))
    except ValueError:
        return False
    names = [name for _, name, _, _ in fields if name is not None]
    automatic = names.count("")
    plain = all("{" not in (spec or "") and not conversion for _, _, spec, conversion in fields)
    if automatic and any(name.isdigit() for name in names):
        return False
    enough = automatic <= sum(name.isdigit() for name in given)
    return plain and enough and all(not name or name in given for name in names)


def _fields(template: str, given: dict[str, str]) -> Iterator[Part]:
    number = 0
    for text, name, spec, _ in string.Formatter().parse(template):
        yield text
        if name is not None:
            yield Filled(given[name or str(number)], spec or "")
            number += not name


def is_text(value: ast.AST | None, scope: Scope) -> bool:
    """Whether an expression writes a text: `f"…"`, `"…" % x`, `"…".join(…)`, `str(x)`."""
    if isinstance(value, ast.BinOp):
        return is_text(value.left, scope)
    if isinstance(value, ast.Call):
        of_text = isinstance(value.func, ast.Attribute) and is_text(value.func.value, scope)
        return of_text or dotted_name(value.func, scope) in ("builtins.str", "builtins.repr")
    return isinstance(value, ast.JoinedStr) or (
        isinstance(value, ast.Constant) and isinstance(value.value, str)
    )
