"""Value numbering of arrays and eager tensors: the same function of the same things gives the same."""

from collections.abc import Iterable

from graphdoctor.dryrun.values import AbstractNumber, Array, Constant, DType, Library, Sequence, Tensor, Value
from graphdoctor.dryrun.values.terms import Atom, call

# The same number everywhere: who gives them another size has other arguments as well, and a new trace.
UNIFORM = ("zeros", "ones", "zeros_like", "ones_like", "eye")
DRAWN = (".random", "timestamp")
DRAW = "draw"
DEEPEST = 4


def note_recipe(name: str, given: Iterable[Value], result: Value, names: Iterable[str] = ()) -> None:
    """Note of what a function has computed an array or eager tensor that it has made."""
    if not isinstance(result, (Array, Tensor)) or result.origin.graph is not None:
        return
    if any(word in name for word in DRAWN):
        result.origin.recipe = call(DRAW, (result.origin.number,))
    elif name.rpartition(".")[2] in UNIFORM:
        result.origin.recipe = call(name, ())
    else:
        parts = [_ingredient(value, 0) for value in given]
        if None not in parts:
            result.origin.recipe = call(name, (*parts, *names))


def is_drawn(recipe: Atom | None) -> bool:
    """Whether it is a random number or the time, or computed of one."""
    return recipe is not None and (
        recipe.op == DRAW or any(is_drawn(part) for part in recipe.args if isinstance(part, Atom))
    )


def _ingredient(value: Value, depth: int) -> object:
    """What distinguishes a value that is computed with from all that give another result; None: unknown."""
    if isinstance(value, Constant):
        return (type(value.value), value.value)
    if isinstance(value, (DType, Library)):
        return value.name
    if isinstance(value, AbstractNumber):
        return None if value.varies else value.term
    if isinstance(value, Sequence) and value.items is not None and depth < DEEPEST:
        parts = [_ingredient(item, depth + 1) for item in value.items]
        return None if None in parts else (value.kind, *parts)
    if isinstance(value, Tensor) and value.origin.recipe is None and value.origin.graph is None:
        return value.origin.number  # the same tensor
    return value.origin.recipe if isinstance(value, (Array, Tensor)) else None
