"""Distributions that TensorFlow does not draw from → the same distribution, made of draws that it has."""

import ast
from collections.abc import Mapping

from graphdoctor.refactoring.syntax.dtypes import is_whole_number
from graphdoctor.refactoring.syntax.expressions import operand
from graphdoctor.source.def_use import place_of

# Below it a gamma of float32 is too often the smallest number there is: run on 2.21, 0.05 is still right.
SMALLEST_OF_BETA = 0.05


def from_gammas(name: str, given: Mapping[str, str], shape: str, tensorflow: str) -> str | None:
    """The draw by the last part of its name, where gammas, of which an exponential is one, or normals do."""

    def gamma(text: str) -> str:
        return f"{tensorflow}.random.gamma({shape}, {text})"

    exponential, scale = gamma("1.0"), f" * {operand(given['scale'])}" if "scale" in given else ""
    if name in ("beta", "betavariate") and {"a", "b"} <= given.keys():
        return (
            f"1.0 / (1.0 + {gamma(given['b'])} / {gamma(given['a'])})" if _is_far_from_zero(given) else None
        )
    if name in ("exponential", "standard_exponential"):
        return f"{exponential}{scale}"
    if name == "expovariate":
        return f"{exponential} / {operand(given['rate'])}" if "rate" in given else exponential
    if name in ("gamma", "standard_gamma", "gammavariate"):
        alpha = given.get("shape", given.get("a"))
        return f"{gamma(alpha)}{scale}" if alpha is not None else None
    if name == "chisquare" and "df" in given:
        return f"2.0 * {gamma(operand(given['df']) + ' / 2.0')}"
    start = operand(given["loc"]) if "loc" in given else ""
    if name == "laplace":
        return f"{start}{' + ' if start else ''}({exponential} - {exponential}){scale}"
    if name == "gumbel":
        return f"{start}{' - ' if start else '-'}{tensorflow}.math.log({exponential}){scale}"
    if name in ("lognormal", "lognormvariate"):
        mean, deviation = given.get("mean", "0.0"), given.get("sigma", given.get("stddev", "1.0"))
        return f"{tensorflow}.exp({tensorflow}.random.normal({shape}, {mean}, {deviation}))"
    return None


def _is_far_from_zero(given: Mapping[str, str]) -> bool:
    """Whether the numbers that are written are not too small; names are taken for what is usual."""
    written = [ast.parse(given[each], mode="eval").body for each in ("a", "b")]
    numbers = [each.value for each in written if isinstance(each, ast.Constant)]
    return all(isinstance(each, int | float) and each >= SMALLEST_OF_BETA for each in numbers)


def permuted(items: str, tensorflow: str) -> str:
    """The items, or the numbers below one, in any order."""
    number = number_in(items, tensorflow)
    return f"{tensorflow}.random.shuffle({f'{tensorflow}.range({number})' if number else items})"


def chosen(given: Mapping[str, str], shape: str, tensorflow: str, whole: str) -> str | None:
    """`np.random.choice(5)` is a number below five, `choice(values)` one of them; None for other options."""
    items, size, weights = given["items"], given.get("size", "None"), given.get("p", "None")
    number, replaced = number_in(items, tensorflow), given.get("replace", "True")
    if replaced == "False" and weights == "None" and size.isdigit():
        return f"{permuted(items, tensorflow)}[:{size}]"
    if replaced != "True":
        return None
    if weights != "None":
        times = {"None": "1"}.get(size, size)
        if not times.isdigit():
            return None
        logits = f"{tensorflow}.math.log([{weights}])"
        index = f"{tensorflow}.random.categorical({logits}, {times}, {tensorflow}.{whole})"
        index += "[0, 0]" if size == "None" else "[0]"
    elif number:
        return f"{tensorflow}.random.uniform({shape}, 0, {number}, {tensorflow}.{whole})"
    else:
        index = f"{tensorflow}.random.uniform({shape}, 0, len({items}), {tensorflow}.int32)"
    return index if number else f"{tensorflow}.gather({items}, {index})"


def sampled(items: str, number: str, tensorflow: str) -> str | None:
    """`random.sample` of a range, or of numbers that are written."""
    node = ast.parse(items, mode="eval").body
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "range":
        return f"{tensorflow}.random.shuffle({tensorflow}.{items})[:{number}]"
    parts = node.elts if isinstance(node, ast.List | ast.Tuple) else []
    kinds = {type(part.value) if isinstance(part, ast.Constant) else None for part in parts}
    return f"{tensorflow}.random.shuffle({items})[:{number}]" if kinds in ({int}, {float}) else None


def number_in(text: str, tensorflow: str) -> str | None:
    """A whole number as it is written, or the size of an axis; None where it may be a list of things."""
    node = ast.parse(text, mode="eval").body
    sized = node.value if isinstance(node, ast.Subscript) else None
    if isinstance(node, ast.Subscript) and isinstance(sized, ast.Attribute) and sized.attr == "shape":
        return f"{tensorflow}.shape({ast.unparse(sized.value)})[{ast.unparse(node.slice)}]"
    counted = isinstance(node, ast.Call) and place_of(node.func) in ("len", "int")
    return text if counted or is_whole_number(node) else None
