"""The rules that explain every observed call, or none."""

import itertools

import numpy

from graphdoctor.dryrun.libraries.tables.arguments import UNKNOWN
from graphdoctor.dryrun.libraries.tables.axis_rules import PARTS
from graphdoctor.dryrun.libraries.tables.dtypes import result_dtype
from graphdoctor.dryrun.libraries.tables.shapes import result_shape
from library_probe.calls import Call, Outcome
from library_probe.samples import DTYPE_PARAMETERS

Observation = tuple[Call, Outcome]
FLOATING = ("float", "bfloat", "complex")


def fit_kind(seen: list[Observation]) -> str:
    """The kind that all calls gave; a tuple whose length differs is "tuple"."""
    kinds = {outcome.kind for _, outcome in seen}
    if len(kinds) == 1:
        return kinds.pop()
    if all(kind.startswith("tuple:") for kind in kinds):
        return "tuple"
    return "unknown"


def fit_shape(seen: list[Observation], index: int, parameters: list[str]) -> str:
    """The first rule that gives the shape of result `index` in each call, sizes and all."""
    cases = [(call, outcome.leaves[index].shape) for call, outcome in seen]
    if not any(call.given for call, _ in cases):
        return "scalar" if {shape for _, shape in cases} == {()} else ""
    if len({(inputs(call), shape) for call, shape in cases}) < 2:
        return ""
    tensors = sorted({name for call, _ in cases for name in call.tensors()}, key=parameters.index)
    whole = [
        (call, shape) for call, shape in cases if () not in [call.shape(name) for name in call.tensors()]
    ]
    for few in (cases, whole):  # some functions make a vector of a scalar: the rule is that of tensors
        for rule in shape_rules(tensors, parameters, few) if few else ():
            if all(matches(result_shape(rule, call), shape) for call, shape in few):
                return rule
    return ""


def inputs(call: Call) -> str:
    return repr([(name, call.shape(name), call.shapes(name), call.value(name)) for name in call.given])


def matches(expected, shape: tuple[int, ...]) -> bool:
    if expected is None or len(expected) != len(shape):
        return False
    return all(size is UNKNOWN or size == real for size, real in zip(expected, shape, strict=True))


def shape_rules(tensors: list[str], parameters: list[str], cases):
    ranks = {len(shape) for _, shape in cases}
    if ranks == {0}:
        yield "scalar"
    if any(has_rest(call) for call, _ in cases):
        yield from (f"reshape:{name}" for name in tensors)
    values = [name for name in parameters if name not in tensors]
    if values[1:3] in (["limit", "delta"], ["stop", "step"]):
        yield f"range:{','.join(values[:3])}"
    yield from (f"param:{name}" for name in values)
    if len(tensors) > 1 and not all(same_shapes(call, tensors) for call, _ in cases):
        yield "broadcast:" + ",".join(tensors)
        for left in tensors:
            for right in tensors[tensors.index(left) + 1 :]:
                yield f"broadcast:{left},{right}"
        yield from (f"reduce:{','.join(tensors)}", f"reduce:{','.join(tensors)}@-1")
    for name in tensors:
        yield from (f"same:{name}", f"reduce:{name}", f"reduce:{name}@-1", f"reduce:{name}@0")
        yield f"reduce:{name}@-2,-1"
        yield from (f"expand:{name}", f"concat:{name}", f"stack:{name}", f"transpose:{name}", f"swap:{name}")
        yield from (f"one_hot:{name}", f"squeeze:{name}", f"flat:{name}", f"shape_of:{name}")
    for left, right in itertools.pairwise(tensors):
        yield f"matmul:{left},{right}"
        yield f"gather:{left},{right}"
    if PARTS[0] in values or PARTS[1] in values:
        yield from (f"split:{name}" for name in tensors)
    for left, right in itertools.pairwise(values):
        yield f"eye:{left},{right}"
    for name in tensors:
        if len({len(call.shape(name) or ()) for call, _ in cases}) > 1 or ranks != {0}:
            yield from (f"rank_of:{name}", f"rank_of:{name}-1", f"rank_of:{name}+1", f"rank_of:{name}-2")
    if len(ranks) == 1:
        yield f"rank:{min(ranks)}"


def has_rest(call: Call) -> bool:
    """A size of -1 stands for the rest."""
    values = [call.value(name) for name in ("shape", "newshape")]
    return any(value == -1 or (isinstance(value, tuple) and -1 in value) for value in values)


def same_shapes(call: Call, tensors: list[str]) -> bool:
    return len({call.shape(name) for name in tensors}) == 1


class DtypeFit:
    """Finds the rule of a result's dtype; `promote` is the library's own way of mixing."""

    def __init__(self, library: str, promote) -> None:
        self.library = library
        self.promote = promote

    def fit(
        self, seen: list[Observation], chosen: list[Observation], index: int, parameters: list[str]
    ) -> str:
        """The rule for result `index`; `chosen` are the calls that state the dtype by a parameter."""
        rule = self.without_parameter(seen, index, parameters)
        for name in DTYPE_PARAMETERS:
            own = [(call, outcome) for call, outcome in chosen if name in call.given]
            required = [(call, outcome) for call, outcome in seen if name in call.given]
            stated = {(call.given[name], outcome.leaves[index].dtype) for call, outcome in own + required}
            if (len(stated) > 1 or required) and all(given == found for given, found in stated):
                return f"param:{name}|{rule}"
        return rule

    def without_parameter(self, seen: list[Observation], index: int, parameters: list[str]) -> str:
        cases = [(call, outcome.leaves[index].dtype) for call, outcome in seen]
        tensors = sorted({name for call, _ in cases for name in call.tensors()}, key=parameters.index)
        for rule in self.rules(cases, tensors):
            if all(self.of(rule, call) == dtype for call, dtype in cases):
                return rule
        return ""

    def of(self, rule: str, call: Call) -> str | None:
        return result_dtype(rule, call, self.library, self.promote)

    def rules(self, cases, tensors: list[str]):
        results = {dtype for _, dtype in cases}
        given = {tuple(call.dtype(name) for name in tensors) for call, _ in cases}
        if len(results) == 1 and (not tensors or len(given) > 1 or not all(results <= set(g) for g in given)):
            yield results.pop()
        for group in groups(tensors):
            if all(len({call.dtype(name) for name in group}) == 1 for call, _ in cases):
                yield with_exceptions("same", group, cases)
        for group in reversed(list(groups(tensors))):
            if len(group) > 1:
                yield with_exceptions("promote", group, cases)


def with_exceptions(name: str, group: list[str], cases) -> str:
    """The rule, and the dtypes for which the result was another one."""
    alike = {
        call.dtype(group[0]): dtype for call, dtype in cases if len({call.dtype(name) for name in group}) == 1
    }
    return " ".join([f"{name}:{','.join(group)}", *sorted(f"{a}={b}" for a, b in alike.items() if a != b)])


def groups(tensors: list[str]):
    """All, then fewer neighbours, then each alone: parameters that never differed belong together."""
    for length in range(len(tensors), 0, -1):
        for start in range(len(tensors) - length + 1):
            yield tensors[start : start + length]


def is_floating(dtype: str) -> bool:
    return dtype.startswith(FLOATING)


def promotions(result_type) -> dict[str, str]:
    """What a library makes of each pair of dtypes, as "float32 int32" → "float64"."""
    names = [
        "bool",
        "uint8",
        "int8",
        "int16",
        "int32",
        "int64",
        "float16",
        "float32",
        "float64",
        "complex64",
        "complex128",
    ]
    found = {}
    for index, left in enumerate(names):
        for right in names[index + 1 :]:
            try:
                found[" ".join(sorted((left, right)))] = numpy.dtype(result_type(left, right)).name
            except Exception:
                continue
    return found
