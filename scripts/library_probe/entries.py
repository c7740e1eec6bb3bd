"""The entry of one public symbol, made by running it."""

import inspect

from graphdoctor.dryrun.libraries.tables.shapes import result_shape
from library_probe import variations
from library_probe.calls import NO_VALUE, Call, Leaf, Outcome, is_no_value, literal, outcome
from library_probe.effects import effect
from library_probe.fitting import DtypeFit, Observation, fit_kind, fit_shape, is_floating, matches
from library_probe.gradients import as_float, flow, numpy_raises_anyhow, numpy_symbolic, symbolic_outcome
from library_probe.samples import FLOAT
from library_probe.special import GIVEN, NOT_CALLED, SAFE_SHAPES, STATED
from library_probe.templates import signature_of, working_call

NUMBERS = {"python:float": "float64", "python:int": "int64", "python:bool": "bool"}


def spelt(signature: inspect.Signature) -> str:
    """The parameters as one line: "x axis=None * keepdims=False"; `=...` for a default that is no literal."""
    words, star = [], False
    for parameter in signature.parameters.values():
        if parameter.name == "self":
            continue
        if parameter.kind is parameter.VAR_POSITIONAL:
            words.append(f"*{parameter.name}")
            star = True
        elif parameter.kind is parameter.VAR_KEYWORD:
            words.append(f"**{parameter.name}")
        else:
            if parameter.kind is parameter.KEYWORD_ONLY and not star:
                words.append("*")
                star = True
            words.append(parameter.name + default_text(parameter))
    return " ".join(words)


def default_text(parameter: inspect.Parameter) -> str:
    if parameter.default is parameter.empty:
        return ""
    value = None if is_no_value(parameter.default) else literal(parameter.default)
    text = repr(value).replace(", ", ",") if value is not NO_VALUE else "..."
    return "=" + ("..." if " " in text or len(text) > 30 or text.strip("-") in ("inf", "nan") else text)


class Prober:
    """Makes entries for the functions of one library."""

    def __init__(self, library: str, promote) -> None:
        self.library = library
        self.dtypes = DtypeFit(library, promote)

    def entry(self, name: str, function) -> dict[str, object]:
        """What the table says of a function."""
        self.shapes = SAFE_SHAPES.get(name)
        signature = signature_of(function)
        if signature is None:
            return {"result": "unknown"}
        facts: dict[str, object] = {"parameters": spelt(signature), "result": "unknown"}
        if name.startswith(NOT_CALLED):
            return facts | STATED.get(name, {})
        found = self.base(name, function, signature)
        if found is not None:
            facts |= self.facts(function, found)
        elif self.library == "numpy" and numpy_raises_anyhow(function):
            facts["raises"] = True
        return facts | STATED.get(name, {})

    def base(self, name: str, function, signature: inspect.Signature) -> Observation | None:
        given = GIVEN.get(name)
        if inspect.isclass(function) and signature.parameters:  # numpy.float32: its parameter is optional
            given = {next(iter(signature.parameters)): FLOAT}
        if given is not None:
            call = Call(signature, given)
            result = outcome(function, call, self.library)
            return None if result is None else (call, result)
        return working_call(function, signature, self.library)

    def seen(self, function, calls) -> list[Observation]:
        return [(call, result) for call in calls if (result := outcome(function, call, self.library))]

    def facts(self, function, base: Observation) -> dict[str, object]:
        call, _ = base
        parameters = list(call.signature.parameters)
        nearby = variations.of_shape(call, self.shapes)
        shaped = [base, *self.seen(function, nearby)]
        shaped += self.seen(function, variations.of_value(call)) if self.shapes is None else []
        turned = self.seen(function, variations.of_axis(call))
        typed = [base, *self.seen(function, variations.of_dtype(call))]
        chosen = self.seen(function, variations.of_dtype_parameter(call))
        optional = list(self.options(function, call))
        number = number_kind([*shaped, *typed, *turned, *chosen])
        if number:
            shaped, typed, turned, chosen = (as_arrays(seen) for seen in (shaped, typed, turned, chosen))
            optional = [(as_arrays([seen])[0], name) for seen, name in optional]
        kind = fit_kind([*shaped, *typed])
        facts: dict[str, object] = {"result": kind, "number": number}
        unless = set()
        if has_leaves(kind):
            shapes, dtypes = [], []
            for index in range(count(kind, base)):
                rule = fit_shape(same_kind([*shaped, *turned], kind), index, parameters)
                if not rule or rule.startswith("rank"):
                    narrow = fit_shape(same_kind(shaped, kind), index, parameters)
                    if narrow and not narrow.startswith("rank"):
                        rule = narrow
                        unless |= broken(turned, index, rule)
                shapes.append(rule)
                dtypes.append(
                    self.dtypes.fit(same_kind(typed, kind), same_kind(chosen, kind), index, parameters)
                )
            facts["shape"], facts["dtype"] = joined(shapes), joined(dtypes)
        unless |= {name for seen, name in optional if not self.holds(facts, seen)}
        unless |= {
            name for c, o in [*turned, *chosen] if o.kind != kind for name in set(c.given) - set(call.given)
        }
        facts["unless"] = sorted(unless) if kind != "unknown" else []
        facts |= self.consequences(function, call, [*shaped, *typed])
        return {key: value for key, value in facts.items() if value not in ("", [], None)}

    def options(self, function, call: Call):
        for name in variations.optional(call.signature):
            for observation in self.seen(function, variations.of_option(call, name)):
                yield observation, name

    def holds(self, facts: dict[str, object], seen: Observation) -> bool:
        """The facts are also true of a call with another option."""
        call, result = seen
        if result.kind != facts["result"]:
            return False
        shapes, dtypes = str(facts.get("shape", "")).split(" / "), str(facts.get("dtype", "")).split(" / ")
        for leaf, shape, dtype in zip(result.leaves, shapes, dtypes, strict=False):
            if shape and not matches(result_shape(shape, call), leaf.shape):
                return False
            if dtype and self.dtypes.of(dtype, call) not in (leaf.dtype, None):
                return False
        return True

    def consequences(self, function, call: Call, seen: list[Observation]) -> dict[str, object]:
        facts: dict[str, object] = {"effect": effect(function, call, self.library)}
        if self.library == "numpy":
            return facts | {"raises": numpy_symbolic(function, call) or None}
        leaves = [leaf for _, result in seen for leaf in result.leaves]
        if leaves and "self" not in call.given:
            facts |= gradient_facts(function, call, any(is_floating(leaf.dtype) for leaf in leaves))
        symbolic = symbolic_outcome(function, call, self.library, call.tensors())
        return facts | {"raises": symbolic == "raises" or None, "open": symbolic.startswith("open") or None}


def gradient_facts(function, call: Call, floating: bool) -> dict[str, object]:
    """The inputs with and without a gradient; `cut` is "*" where nothing can have one."""
    found = flow(function, call)
    whole = [name for name in call.tensors() if not as_float(call.given[name])]
    none = not found.reached and call.tensors() and (not floating or len(whole) == len(call.tensors()))
    words = {"gradient": found.reached, "cut": found.cut, "zero": found.zero}
    return {key: " ".join(names) for key, names in words.items()} | ({"cut": "*"} if none else {})


def number_kind(seen: list[Observation]) -> str:
    """The kind of Python number that stands for a scalar array, if that is what the function gives."""
    kinds = {result.kind for _, result in seen}
    numbers = kinds & NUMBERS.keys()
    return min(numbers) if "array" in kinds and len(numbers) == 1 else ""


def as_arrays(seen: list[Observation]) -> list[Observation]:
    """Python numbers as arrays without axes."""
    return [
        (call, Outcome("array", (Leaf(NUMBERS[result.kind], ()),)) if result.kind in NUMBERS else result)
        for call, result in seen
    ]


def has_leaves(kind: str) -> bool:
    return kind in ("tensor", "array", "list") or kind.startswith(("tuple:", "namedtuple:"))


def count(kind: str, base: Observation) -> int:
    return 1 if kind in ("tensor", "array", "list") else len(base[1].leaves)


def same_kind(seen: list[Observation], kind: str) -> list[Observation]:
    return [(call, result) for call, result in seen if result.kind == kind]


def joined(rules: list[str]) -> str:
    return " / ".join(rules) if any(rules) else ""


def broken(turned: list[Observation], index: int, rule: str) -> set[str]:
    return {
        name
        for call, result in turned
        if len(result.leaves) <= index or not matches(result_shape(rule, call), result.leaves[index].shape)
        for name in ("axis", "axes", "keepdims", "perm")
        if name in call.given
    }
