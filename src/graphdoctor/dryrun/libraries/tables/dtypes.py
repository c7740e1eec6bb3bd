"""The dtype of a call's result, by the rule that the table states for it.

rule                      dtype of the result
int64                     always this one
same:x,y                  that of x, or y: they agree, or the library raises
same:x int32=float64      the same, but for the inputs that are named; of dtypes never tried nothing is known
same:x,y else=float32     the same, and float32 where none of them is given
promote:x,y               what the library makes of both
param:dtype|RULE          the value of the parameter; RULE if it is None
if:method=nearest|A|B     rule A if the parameter has this value, rule B if another
"""

import functools
from collections.abc import Callable

from graphdoctor.dryrun.libraries.tables.arguments import ABSENT, Arguments

# What a library makes of a Python number that meets no tensor.
NUMBERS = {
    "tensorflow": {"int": "int32", "float": "float32", "bool": "bool", "complex": "complex128"},
    "keras": {"int": "int32", "float": "float32", "bool": "bool", "complex": "complex64"},
    "numpy": {"int": "int64", "float": "float64", "bool": "bool", "complex": "complex128"},
}
# Those that every operation was tried with: what is said of exceptions is said of these.
TRIED = frozenset(("float32", "float64", "float16", "int32", "int64", "uint8", "bool", "complex64", "string"))
NAMES = frozenset((
    "bool", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "float16", "bfloat16",
    "float32", "float64", "complex64", "complex128", "string", "resource", "variant", "int4", "uint4",
))  # fmt: skip
# NumPy's codes, `f4` and `<i2`; of the other byte order an array is of another dtype.
SIZES = {
    "i": ("int", (1, 2, 4, 8)),
    "u": ("uint", (1, 2, 4, 8)),
    "f": ("float", (2, 4, 8)),
    "c": ("complex", (8, 16)),
}
CODES = {
    f"{order}{letter}{size}": f"{name}{8 * size}"
    for letter, (name, sizes) in SIZES.items()
    for size in sizes
    for order in ("", "<", "=")
}
# Other spellings, also of Python's own types; what a library does not take is not here.
SPELLED = {
    "tensorflow": {"float": "float32", "double": "float64", "half": "float16"},
    "keras": {"int": "int64", "float": "float32"},
    "numpy": {
        "int": "int64", "float": "float64", "complex": "complex128", "double": "float64", "half": "float16",
        "single": "float32", "uint": "uint64", "str": "string", "bytes": "string", "f": "float32",
        "d": "float64", "i": "int32", "?": "bool", "str_": "string", **CODES,
    },
}  # fmt: skip
Promotion = Callable[[str, str], str | None]


def result_dtype(rule: str, arguments: Arguments, library: str, promote: Promotion) -> str | None:
    """The dtype of the result; None where neither rule nor arguments tell it."""
    if rule.startswith("if:"):
        chosen = _chosen(rule, arguments)
        return None if chosen is None else result_dtype(chosen, arguments, library, promote)
    name, parameters, rest = parsed(rule)
    if name == "param":
        value = arguments.value(parameters[0])
        if value is None or value is ABSENT:
            return result_dtype(rest[""], arguments, library, promote)
        return named(value, library) if isinstance(value, str) else None
    if not parameters:
        return name or None
    dtypes = [
        arguments.dtype(parameter)
        for parameter in parameters
        if arguments.value(parameter) is not None
        and not ("else" in rest and arguments.value(parameter) is ABSENT)
    ]
    if not dtypes:
        return rest.get("else")
    found = agreed(dtypes, library) if name == "same" else promoted(dtypes, library, promote)
    if found is None or (rest and found not in TRIED and found not in rest and "else" not in rest):
        return None
    return rest.get(found, found)


def named(name: str, library: str) -> str | None:
    """The dtype that a library means by a name; None for a name that is not known."""
    return SPELLED.get(library, SPELLED["numpy"]).get(name, name if name in NAMES else None)


def _chosen(rule: str, arguments: Arguments) -> str | None:
    """The rule that holds for the value of a parameter; None where that is unknown."""
    condition, then, otherwise = rule.removeprefix("if:").split("|")
    parameter, _, wanted = condition.partition("=")
    value = arguments.value(parameter)
    if not isinstance(value, str):
        return None
    return then if value == wanted else otherwise


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
    if len(set(strong)) == 1:
        return strong[0]
    if strong or None in dtypes or not dtypes:  # where they differ it raises, or what is inferred is wrong
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
