"""What must hold in a fixed program, beside being equal to its reference in all else."""

import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator

from graphdoctor.fixing.closeness import Closeness, is_close
from graphdoctor.fixing.printed import compare_lines, lines_of
from graphdoctor.fixing.trials import Trial
from graphdoctor.fixing.values import compare_leaves
from graphdoctor.fixing.witness_file import Gradient, Leaf, Witnessed
from graphdoctor.model.words import count
from graphdoctor.rules.repair import NewGradient, Repair

ROUNDING = 1e-6  # of the target: what float32 may lose in it
ALLOWED = 0.05  # of the derivative, by which a numerical one may differ
KINKS = 0.02  # of the length of the gradient: what a step over the corners of `relu` may add

Sources = tuple[int, tuple[int, ...], tuple[int, ...]]
Move = Callable[[Sources], Witnessed]  # the repaired program, eagerly, with sources of a tape moved


class UnmetError(Exception):
    """Something does not hold; the text says what."""


def requirements_met(
    repairs: Iterable[Repair],
    eager: Witnessed,
    repaired: Witnessed,
    fixed: Witnessed,
    move: Move,
    *,
    died: bool,
) -> tuple[str, ...]:
    """The requirements that are met, in words; UnmetError when one is not.

    `eager` is the eager run of the original, `repaired` that of the repaired program, `fixed` its run as it
    is. `died`: the original did, eagerly, too.
    """
    wanted = list(repairs)
    found: list[str] = []
    kinds = {one.gradient for one in wanted} - {None}
    if kinds and not repaired.gradients:
        found.append("the new gradients were not checked: the eager run takes none from a tape")
    elif kinds:
        found += _gradients(eager, repaired, move if kinds == {NewGradient.EXACT} else None)
    if any(one.trains for one in wanted):
        found += _trained(repaired, died)
    if any(one.varies for one in wanted):
        found += _varies(eager, fixed)
    return tuple(found)


def same_until_gradient(original: Trial, repaired: Trial, again: Trial) -> None:
    """Check that two programs do the same until a tape gives gradients; UnmetError when they do not.

    What comes later depends on the gradients, which the fix changes. `again` is a second run of the original.
    """
    if not original.witnessed.gradients or not repaired.witnessed.gradients:
        return
    before, now = original.witnessed.gradients[0], repaired.witnessed.gradients[0]
    found = Closeness("output")
    was, is_now, once_more = (
        lines_of("\n".join(trial.ended.output.split("\n")[: call.lines]))
        for trial, call in ((original, before), (repaired, now), (again, before))
    )
    compare_lines(was, is_now, (), found, once_more)
    for one, other in zip(before.sources, now.sources, strict=False):
        compare_leaves(one.value, other.value, None, "a source", found)
    if not found.equal:
        raise UnmetError(f"something else before the first gradient: {found.text}")


def _gradients(eager: Witnessed, repaired: Witnessed, move: Move | None) -> Iterator[str]:
    """The first call of `tape.gradient` that gives more than it did: its target, its sources, its slope."""
    for number, now in enumerate(repaired.gradients):
        before = eager.gradients[number] if number < len(eager.gradients) else None
        asked = len(before.sources) if before is not None else 0
        lacked = max(0, len(now.sources) - asked) + (_without_gradient(before) if before is not None else 0)
        if before is not None and number == 0 and not is_close(before.target, now.target):
            # Later targets depend on what the first gradient changed.
            raise UnmetError(f"the target of the gradient is {now.target:g}, and was {before.target:g}")
        if lacked and _without_gradient(now) >= max(lacked, 1) and before is not None:
            raise UnmetError(f"{count(_without_gradient(now), 'source')} still without a gradient")
        if not lacked:
            continue
        yield f"gradients exist that did not: {count(len(now.sources) - _without_gradient(now), 'source')}"
        if move is not None:
            yield _numerical(number, now, move, stops=now.stops and (before is None or before.stops))
        return


def _without_gradient(call: Gradient) -> int:
    return sum(source.gradient is None for source in call.sources)


def _slope(call: Gradient) -> float:
    """What the gradients say of a step along them."""
    return sum(one.slope for one in call.sources if one.gradient is not None)


def _numerical(number: int, call: Gradient, move: Move, *, stops: bool) -> str:
    """That the gradient says how the target changes when the sources are moved.

    `stops`: gradients are stopped on purpose, and were so in the original.
    """
    if stops:
        return "no numerical derivative: the program stops gradients itself"
    moved = [one for one in call.sources if one.gradient is not None]
    if any(one.variable is None and one.watched is None for one in moved):
        return "no numerical derivative: a source is computed in the tape"
    variables = tuple(one.variable for one in moved if one.variable is not None)
    watched = tuple(one.watched for one in moved if one.watched is not None and one.variable is None)
    calls = move((call.tape, variables, watched)).gradients
    if number >= len(calls) or not math.isfinite(calls[number].target):
        return "no numerical derivative: the program does not come to it with other values"
    measured = (calls[number].target - call.target) / call.step
    expected = (_slope(call) + _slope(calls[number])) / 2  # at both ends of the step: the curvature cancels
    lost = ROUNDING * call.size / call.step
    length = math.sqrt(sum(one.norm**2 for one in moved))
    if lost > ALLOWED * length and abs(measured - expected) <= lost:
        return "no numerical derivative: the gradient is too small to be measured"
    if abs(measured - expected) > lost + ALLOWED * max(abs(measured), abs(expected)) + KINKS * length:
        raise UnmetError(f"the gradient says {expected:g} and a numerical derivative {measured:g}")
    return f"it agrees with a numerical derivative ({expected:.4g}, measured {measured:.4g})"


def _trained(repaired: Witnessed, died: bool) -> Iterator[str]:
    """Where variables are trained, or the original died before that, each with a gradient changes."""
    if not repaired.gradients:
        return
    sources = {one.variable: one for one in repaired.gradients[0].sources if one.variable is not None}
    got = {number: one for number, one in sources.items() if one.gradient is not None and one.norm > 0}
    changed = {number for number, one in got.items() if _differ(one.value, repaired.numbered.get(number))}
    if (changed or died) and len(changed) < len(got):
        raise UnmetError(f"only {len(changed)} of {count(len(got), 'variable')} with a gradient change")
    if changed:
        yield f"{count(len(changed), 'variable')} trained"


def _varies(eager: Witnessed, fixed: Witnessed) -> Iterator[str]:
    """What differs between eager calls differs between calls of the graph as well."""
    was, now = _by_place(eager), _by_place(fixed)
    for place, leaves in was.items():
        if _is_varied(leaves) and len(now.get(place, [])) > 1:
            if not _is_varied(now[place]):
                raise UnmetError(f"`{place[0]}` still returns the same at each call")
            yield f"`{place[0]}` returns something else at each call"


def _by_place(seen: Witnessed) -> dict[tuple[str, int], list[Leaf]]:
    found: dict[tuple[str, int], list[Leaf]] = defaultdict(list)
    for (name, _), call in sorted(seen.calls.items()):
        for index, leaf in enumerate(call.leaves):
            found[name, index].append(leaf)
    return found


def _is_varied(leaves: list[Leaf]) -> bool:
    return any(_differ(leaves[0], leaf) for leaf in leaves[1:])


def _differ(one: Leaf, other: Leaf | None) -> bool:
    """Whether two values differ at all: a small step of training is one."""
    if other is None:
        return False
    return (one.values, one.texts, one.text) != (other.values, other.texts, other.text)
