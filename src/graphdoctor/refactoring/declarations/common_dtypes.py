"""One dtype for two values: which of them is cast, and how."""

import ast

from graphdoctor.model import Edit
from graphdoctor.refactoring.syntax.expressions import is_number_literal
from graphdoctor.refactoring.syntax.parameters import one_more_argument
from graphdoctor.source.module import Module
from graphdoctor.source.names import dotted_name, module_alias

WHOLE = ("int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64")
FLOATING = ("bfloat16", "float16", "float64", "float32")  # where two meet, the rest of a program is the last
# What gives the dtype of their result, and how many arguments come before it.
OPTIONS = {
    "argmax": ("output_type", 2), "argmin": ("output_type", 2), "math.argmax": ("output_type", 2),
    "math.argmin": ("output_type", 2), "random.categorical": ("dtype", 2), "shape": ("out_type", 1),
    "size": ("out_type", 1),
}  # fmt: skip


def candidates(first: str, second: str, likely: str | None = None) -> list[str]:
    """The dtypes that two values can both have without losing what they are, the likelier one first."""
    found = common(first, second)
    if found is None:
        return []
    alike = any({first, second} <= set(family) for family in (FLOATING, WHOLE))
    chosen = likely or found
    return [chosen, second if chosen == first else first] if alike else [found]


def common(first: str, second: str) -> str | None:
    """The dtype that both can have; None for texts and the like."""
    for family in (FLOATING, WHOLE):
        found = [dtype for dtype in (first, second) if dtype in family]
        if found:
            both = {first, second} <= {"bool", *WHOLE, *FLOATING}
            return max(found, key=family.index) if both else None
    return None


def as_dtype(module: Module, value: ast.expr, dtype: str) -> Edit | None:
    """The edit that gives an expression a dtype: a number is written as one, anything else is cast."""
    tensorflow = module_alias("tensorflow", module.scope_at(value))
    text = module.source_of(value)
    if is_number_literal(value):
        number = ast.literal_eval(value)
        if dtype == "float32":
            return module.replace(value, f"{text}.0" if isinstance(number, int) else text)
        if tensorflow is None or (isinstance(number, float) and dtype in WHOLE) or dtype == "int32":
            return None
        return module.replace(value, f"{tensorflow}.constant({text}, {tensorflow}.{dtype})")
    if tensorflow is None:
        return None
    option = option_of(module, value)
    if option is not None and isinstance(value, ast.Call) and dtype in ("int32", "int64"):
        return one_more_argument(module, value, option, f"{tensorflow}.{dtype}")
    return module.replace(value, f"{tensorflow}.cast({text}, {tensorflow}.{dtype})")


def option_of(module: Module, value: ast.expr | None) -> str | None:
    """The option of a call that would say its dtype; None where it is said, or there is none."""
    name = dotted_name(value.func, module.scope_at(value)) if isinstance(value, ast.Call) else None
    option, before = OPTIONS.get((name or "").removeprefix("tensorflow."), ("", 0))
    if not option or not isinstance(value, ast.Call) or len(value.args) > before:
        return None
    named = {each.arg for each in value.keywords}
    return None if {option, None} & named else option
