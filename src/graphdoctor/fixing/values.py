"""Results of graph functions and final variables, compared between two runs."""

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence

from graphdoctor.fixing.closeness import Closeness
from graphdoctor.fixing.witness_file import Call, Leaf, Witnessed
from graphdoctor.model.words import count

SeedPair = tuple[Witnessed, Witnessed]  # the same program with two seeds
Named = tuple[str, Leaf]
Spread = dict[tuple[str, int], float]


def compare_calls(
    before: Witnessed,
    after: Witnessed,
    seed_pairs: Sequence[SeedPair],
    found: Closeness,
    *,
    partly: bool = False,
) -> None:
    """Add to `found` the differences between what the functions of both runs returned.

    `partly`: one of the runs did not come to its end, and may have died in a call.
    """
    if before.ended and after.ended and not partly:
        _compare_numbers(before, after, seed_pairs, found)
    spread = _spread(seed_pairs) if seed_pairs else None
    for key in sorted(before.calls.keys() & after.calls.keys()):
        _compare_call(key, before.calls[key], after.calls[key], spread, found, partly)
    if found.unsteady and seed_pairs:
        first, again, last = (_averages(one) for one in (before, seed_pairs[0][1], after))
        for place in sorted(first.keys() & again.keys() & last.keys()):
            found.compare_averages(first[place], again[place], last[place], f"`{place[0]}`")


def _compare_numbers(
    before: Witnessed, after: Witnessed, seed_pairs: Sequence[SeedPair], found: Closeness
) -> None:
    """How often each function was called, where that is no matter of chance."""
    for name in sorted({name for name, _ in before.calls} & {name for name, _ in after.calls}):
        was, now = before.times[name], after.times[name]
        by_chance = any(one.times[name] != second.times[name] for one, second in seed_pairs)
        if was != now and not by_chance:
            found.differ(f"`{name}` was called {count(was, 'time')}, now {count(now, 'time')}")


def _compare_call(
    key: tuple[str, int], one: Call, other: Call, spread: Spread | None, found: Closeness, partly: bool
) -> None:
    """What one call of a function raised or returned."""
    name, number = key
    where = f"call {number} of `{name}`"
    if one.error or other.error:
        if one.error != other.error and not partly:
            found.differ(f"{where} {'raised ' + other.error if other.error else 'no longer raises'}")
        return
    found.number += 1
    if len(one.leaves) != len(other.leaves):
        found.differ(f"{where} returned {count(len(one.leaves), 'value')}, now {len(other.leaves)}")
        return
    for index, (leaf, leaf_now) in enumerate(zip(one.leaves, other.leaves, strict=True)):
        chance = spread.get((name, index), 0.0) if spread is not None else None
        compare_leaves(leaf, leaf_now, chance, where, found)


def _averages(seen: Witnessed) -> dict[tuple[str, int], list[float]]:
    """What each call returned on average, by function and place in what it returns."""
    found: dict[tuple[str, int], list[float]] = defaultdict(list)
    for (name, _), call in sorted(seen.calls.items()):
        for index, leaf in enumerate(call.leaves):
            numbers = _numbers(leaf)
            if numbers:
                found[name, index].append(sum(numbers) / len(numbers))
    return found


def _spread(seed_pairs: Sequence[SeedPair]) -> Spread:
    """The difference between two seeds, by function and place in what it returns."""
    spread: Spread = defaultdict(float)
    for one, other in seed_pairs:
        for key in one.calls.keys() & other.calls.keys():
            pairs = zip(one.calls[key].leaves, other.calls[key].leaves, strict=False)
            for index, (leaf, second) in enumerate(pairs):
                where = (key[0], index)
                spread[where] = max(spread[where], _apart(leaf, second))
    return spread


def _apart(leaf: Leaf, second: Leaf) -> float:
    if leaf.shape != second.shape or leaf.texts != second.texts:
        return float("inf")
    return max((abs(a - b) for a, b in zip(_numbers(leaf), _numbers(second), strict=False)), default=0.0)


def compare_leaves(one: Leaf, other: Leaf, chance: float | None, where: str, found: Closeness) -> None:
    """Add to `found` the difference between two values."""
    before, now = _numbers(one), _numbers(other)
    difference = f"{where}: now {_shown(other)}, before {_shown(one)}"
    if found.fills and one.text == "None" and now:
        found.fill(difference)
    elif len(before) != len(now) or (one.shape != other.shape and len(before) != 1):
        if chance == math.inf:  # two runs of one program differ in shape, too
            found.random = True
        else:
            found.differ(difference)
    elif one.texts != other.texts or (not before and one.text != other.text):
        found.differ(difference)
    else:
        for a, b in zip(before, now, strict=True):
            found.compare(a, b, chance, difference)


def _numbers(leaf: Leaf) -> tuple[float, ...]:
    """Its elements; a Python number is one, too."""
    if leaf.text is None:
        return tuple(map(float, leaf.values))
    try:
        return (float({"True": "1", "False": "0"}.get(leaf.text, leaf.text)),)
    except ValueError:
        return ()


def _shown(leaf: Leaf) -> str:
    if leaf.text is not None:
        return leaf.text
    values = ", ".join(f"{float(value):.6g}" for value in leaf.values[:4]) or ", ".join(leaf.texts[:4])
    return f"[{values}{', …' if len(leaf.values) > 4 else ''}] of shape {list(leaf.shape)}"


def compare_variables(
    before: Witnessed, after: Witnessed, seed_pairs: Sequence[SeedPair], found: Closeness
) -> None:
    """Add to `found` the differences between variables; an edit may create more of them, or fewer."""
    was, now = _by_shape(before.variables), _by_shape(after.variables)
    pairs = [(_by_shape(one.variables), _by_shape(second.variables)) for one, second in seed_pairs]
    for shape, variables in was.items():
        others = now.get(shape, [])
        if len(variables) != len(others):
            continue
        apart = [
            _apart(a, b)
            for one, second in pairs
            for (_, a), (_, b) in zip(one.get(shape, []), second.get(shape, []), strict=False)
        ]
        chance = max(apart, default=0.0) if seed_pairs else None
        found.number += len(variables)
        in_order = list(zip(variables, others, strict=True))
        by_value = list(zip(sorted(variables, key=_content), sorted(others, key=_content), strict=True))
        # An edit may make variables earlier or later than the original does.
        if not _are_equal(in_order) and _are_equal(by_value):
            in_order = by_value
        for (name, leaf), (_, leaf_now) in in_order:
            compare_leaves(leaf, leaf_now, chance, f"variable `{name}` at the end", found)


def _content(variable: Named) -> tuple[object, ...]:
    return variable[1].texts, _numbers(variable[1])


def _are_equal(pairs: Iterable[tuple[Named, Named]]) -> bool:
    found = Closeness("variables")
    for (_, one), (_, other) in pairs:
        compare_leaves(one, other, None, "", found)
    return found.equal


def _by_shape(variables: Iterable[Named]) -> dict[object, list[Named]]:
    found: dict[object, list[Named]] = {}
    for name, leaf in variables:
        found.setdefault((leaf.dtype, leaf.shape), []).append((name, leaf))
    return found
