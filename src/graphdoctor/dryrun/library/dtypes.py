"""The dtype of a call's result, by the rule that the table states for it.

rule                      dtype of the result
int64                     always this one
same:x,y                  that of x, or y: they agree, or the library raises
same:x int32=float64      the same, but for the inputs that are named
promote:x,y               what the library makes of both
param:dtype|RULE          the value of the parameter; RULE if it is None
"""

import functools
from collections.abc import Callable

from graphdoctor.dryrun.library.arguments import ABSENT, Arguments

# What a library makes of a Python number that meets no tensor.
NUMBERS = {
    "tensorflow": {"int": "int32", "float": "float32", "bool": "bool", "complex": "complex128"},
    "keras": {"int": "int32", "float": "float32", "bool": "bool", "complex": "complex64"},
    "numpy": {"int": "int64", "float": "float64", "bool": "bool", "complex": "complex128"},
}
Promotion = Callable[[str, str], str | None]


def result_dtype(rule: str, arguments: Arguments, library: str, promote: Promotion) -> str | None:
    """The dtype of the result; None where neither rule nor arguments tell it."""
    name, parameters, rest = parsed(rule)
    if name == "param":
        value = arguments.value(parameters[0])
        if value is None or value is ABSENT:
            return result_dtype(rest[""], arguments, library, promote)
        return value if isinstance(value, str) else None
    if not parameters:
        return name or None
    dtypes = [
        arguments.dtype(parameter) for parameter in parameters if arguments.value(parameter) is not None
    ]
    found = agreed(dtypes, library) if name == "same" else promoted(dtypes, library, promote)
    return None if found is None else rest.get(found, found)


@functools.cache
def parsed(rule: str) -> tuple[str, tuple[str, ...], dict[str, str]]:
    """The first word of a rule, its parameters, and the exceptions; of `param` the other rule, under ""."""
    if rule.startswith("param:"):
        parameter, _, default = rule.removeprefix("param:").partition("|")
        return "param", (parameter,), {"": default}
    rule, *exceptions = rule.split(" ")
    name, _, parameters = rule.partition(":")
    changed = dict(exception.split("=") for exception in exceptions)
    return name, tuple(parameters.split(",")) if parameters else (), changed


def agreed(dtypes: list[str | None], library: str) -> str | None:
    """The dtype of the tensors among the arguments; a Python number takes on theirs."""
    numbers = NUMBERS[library]
    strong = [dtype for dtype in dtypes if dtype is not None and dtype not in numbers]
    if strong and not (dtypes[0] is None and len(set(strong)) > 1):
        return strong[0]
    if None in dtypes or not dtypes:
        return None
    return strongest_number([dtype for dtype in dtypes if dtype is not None], library)


def strongest_number(dtypes: list[str], library: str) -> str:
    order = ["bool", "int", "float", "complex"]
    return NUMBERS[library][max(dtypes, key=order.index)]


def promoted(dtypes: list[str | None], library: str, promote: Promotion) -> str | None:
    """What the library makes of mixed dtypes; Python numbers are weak."""
    numbers = NUMBERS[library]
    known = [dtype for dtype in dtypes if dtype is not None]
    if len(known) < len(dtypes) or not known:
        return None
    strong = [dtype for dtype in known if dtype not in numbers]
    weak = [dtype for dtype in known if dtype in numbers]
    if not strong:
        return strongest_number(weak, library)
    result: str | None = strong[0]
    for dtype in strong[1:]:
        result = promote(result, dtype) if result is not None else None
    return raised_by_numbers(result, weak, library)


def raised_by_numbers(dtype: str | None, weak: list[str], library: str) -> str | None:
    """An integer array and a Python float give the library's float; the rest keeps the array's dtype."""
    if dtype is None or not weak:
        return dtype
    is_float = dtype.startswith(("float", "bfloat", "complex"))
    if "complex" in weak and not dtype.startswith("complex"):
        return None
    if "float" in weak and not is_float:
        return NUMBERS[library]["float"]
    if dtype == "bool" and "int" in weak:
        return NUMBERS[library]["int"]
    return dtype
