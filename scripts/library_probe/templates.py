"""A call of a function that works, found by trying."""

import inspect
import itertools

from library_probe.calls import Call, Outcome, outcome
from library_probe.samples import BY_NAME, GENERIC, LAST, VECTOR, Tensors

LARGEST_SEARCH = 400
STAR = (Tensors((VECTOR, VECTOR)), (2, 3), (), (2,))


def signature_of(function) -> inspect.Signature | None:
    try:
        return inspect.signature(function)
    except (TypeError, ValueError):
        return None


def working_call(function, signature: inspect.Signature, library: str) -> tuple[Call, Outcome] | None:
    """The first call that the function accepts, with what it gave."""
    required = [
        parameter
        for parameter in signature.parameters.values()
        if parameter.default is parameter.empty and parameter.kind is not parameter.VAR_KEYWORD
    ]
    if library == "numpy" and "size" in signature.parameters:  # the shape of random numbers, None by default
        required = [parameter for parameter in required if parameter.name != "size"]
        required.append(signature.parameters["size"])
    candidates = [samples_for(parameter) for parameter in required]
    for combination in itertools.islice(likeliest_first(candidates), LARGEST_SEARCH):
        call = Call(signature, {p.name: sample for p, sample in zip(required, combination, strict=True)})
        result = outcome(function, call, library)
        if result is not None:
            return call, result
    return None


def likeliest_first(candidates: list[tuple[object, ...]]):
    """Every combination, those with early samples first."""
    for total in range(sum(len(samples) - 1 for samples in candidates) + 1):
        yield from with_sum(candidates, total)


def with_sum(candidates: list[tuple[object, ...]], total: int):
    if not candidates:
        if total == 0:
            yield ()
        return
    for index, sample in enumerate(candidates[0][: total + 1]):
        for rest in with_sum(candidates[1:], total - index):
            yield (sample, *rest)


def samples_for(parameter: inspect.Parameter) -> tuple[object, ...]:
    if parameter.kind is parameter.VAR_POSITIONAL:
        return STAR
    named = BY_NAME.get(parameter.name, ())
    return named + tuple(sample for sample in GENERIC + LAST if sample not in named)
