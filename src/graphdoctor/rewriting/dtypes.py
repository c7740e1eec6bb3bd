"""One dtype for two values: which of them is cast, and how."""

import ast

from graphdoctor.model import Edit
from graphdoctor.rewriting.literals import is_number_literal
from graphdoctor.source.module import Module
from graphdoctor.source.names import module_alias

WHOLE = ("int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64")
FLOATING = ("bfloat16", "float16", "float64", "float32")  # where two meet, the rest of a program is the last


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
        if tensorflow is None or (isinstance(number, float) and dtype in WHOLE):
            return None
        if dtype == "int32":
            return None
        return module.replace(value, f"{tensorflow}.constant({text}, {tensorflow}.{dtype})")
    if tensorflow is None:
        return None
    return module.replace(value, f"{tensorflow}.cast({text}, {tensorflow}.{dtype})")
