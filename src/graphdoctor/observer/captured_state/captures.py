"""Values that traced code reads from outside, and where to read each of them again."""

import dataclasses
import types
import weakref
from collections.abc import Callable, Iterator
from collections.abc import Set as AbstractSet
from typing import Any

from graphdoctor.observer.captured_state.comparable_values import can_be_kept, keep
from graphdoctor.observer.objects import peek
from graphdoctor.observer.user_code.reached_functions import Reached, take
from graphdoctor.observer.user_code.reads import ARGUMENT, GLOBAL, OWNER, Read, Step

MOST_CAPTURES = 100


@dataclasses.dataclass(frozen=True, eq=False)
class Capture:
    """One value outside the traced code: its name there, where it is read, and how to look at it again."""

    name: str
    kind: str  # that of a State: global · cell · attribute
    holder: str
    reader: str
    path: str
    line: int
    now: Callable[[], Any]
    reads: list[tuple[Reached, int]] = dataclasses.field(default_factory=list)  # every place that reads it
    argument: int = 0  # whose attribute it is, when that is an argument: calls may have other ones


Captures = dict[tuple[Any, ...], Capture]


def captures_of(functions: list[Reached]) -> tuple[Captures, dict[tuple[Any, ...], Any]]:
    """What a trace of these functions is about to read from outside, and the values it will find there.

    What the traced code itself stores is left out: its changes are side effects of the trace.
    """
    stored = frozenset(name for reached in functions for name in reached.outside.stored)
    found: Captures = {}
    values: dict[tuple[Any, ...], Any] = {}
    for reached in functions:
        for read in reached.outside.reads:
            for key, capture, value in _capture(reached, read, stored):
                if key not in found and len(found) < MOST_CAPTURES:
                    found[key], values[key] = capture, remembered(value)
                if key in found:
                    found[key].reads.append((reached, capture.line))
    return found, values


def really_read(captures: Captures, skipped: AbstractSet[tuple[str, int]]) -> Captures:
    """The captures that lines read which the trace did not skip, each with the first of them."""
    found: Captures = {}
    for key, capture in captures.items() if skipped else ():
        for reached, line in capture.reads:
            path = reached.code.co_filename
            if (path, line) not in skipped and reached.is_run(skipped):
                found[key] = dataclasses.replace(capture, reader=reached.name, path=path, line=line)
                break
    return found if skipped else captures


def steady(
    captures: Captures, values: dict[tuple[Any, ...], Any], skipped: AbstractSet[tuple[str, int]]
) -> tuple[Captures, dict[tuple[Any, ...], Any]]:
    """What a trace that ended has read, without what it changed by itself in code that we did not see."""
    read = really_read(captures, skipped)
    return read, {key: values[key] for key in read if peek.is_same(values[key], read[key].now())}


def _capture(
    reached: Reached, read: Read, stored: frozenset[str]
) -> Iterator[tuple[tuple[Any, ...], Capture, Any]]:
    """The capture behind a read, when it leads to a plain value, or ends at one that can be rebound."""
    holder: Any = None
    for count, value in reached.values(read):
        own = read.base != GLOBAL or count > 0
        ends = count == len(read.steps) and (count > 0 or read.base != OWNER)
        if peek.is_plain(value) or (ends and not _in_module(holder) and can_be_kept(value, own=own)):
            steps = read.steps[:count]
            if not _is_stored(steps[-1] if steps else Step(read.name), reached, stored):
                yield _key(reached, read, steps), _make(reached, read, steps, holder), value
            return
        holder = value


def remembered(value: Any) -> Any:
    """What to keep of a value in order to compare it later."""
    return peek.remembered(value) if peek.is_plain(value) else keep(value)


def _in_module(holder: Any) -> bool:
    """Whether a value was read from a module or a class: nobody rebinds what stands there."""
    return isinstance(holder, types.ModuleType | type)


def _is_stored(last: Step, reached: Reached, stored: frozenset[str]) -> bool:
    return reached.outside.stores_items if last.item else last.key in stored


def _key(reached: Reached, read: Read, steps: tuple[Step, ...]) -> tuple[Any, ...]:
    """The same for every read of the same thing."""
    if _is_given(reached, read):
        return (ARGUMENT, read.name, steps)
    if read.base == OWNER:
        return (OWNER, id(reached.owner()), steps)
    function = reached.function()
    if read.base == GLOBAL and function is not None:
        return (GLOBAL, id(function.__globals__), read.name, steps)
    return (id(function), read.name, steps)


def _make(reached: Reached, read: Read, steps: tuple[Step, ...], holder: Any) -> Capture:
    return Capture(
        name=read.name + "".join(map(str, steps)),
        kind="attribute" if steps else "global" if read.base == GLOBAL else "cell",
        holder=_holder_name(read, steps, holder),
        reader=reached.name,
        path=reached.code.co_filename,
        line=read.line,
        now=_reader(reached, read, steps),
        argument=id(reached.base(read)) if _is_given(reached, read) else 0,
    )


def _is_given(reached: Reached, read: Read) -> bool:
    """Whether a name is a parameter, and an object was given for it."""
    return read.base in (ARGUMENT, OWNER) and read.name in reached.given


def _holder_name(read: Read, steps: tuple[Step, ...], holder: Any) -> str:
    """What holds the value, as a person would say it: `global`, `closure`, or the object's class."""
    if not steps:
        return "global" if read.base == GLOBAL else "closure"
    return holder.__name__ if isinstance(holder, types.ModuleType | type) else type(holder).__name__


def _reader(reached: Reached, read: Read, steps: tuple[Step, ...]) -> Callable[[], Any]:
    """A function that looks at the value again; the common cases are short, for they run at each call."""
    if read.base == GLOBAL and not steps:
        return _global_reader(reached, read.name)
    if read.base == OWNER and not reached.given and len(steps) == 1 and not steps[0].item:
        simple = _attribute_reader(reached, steps[0].key)
        if simple is not None:
            return simple

    def now() -> Any:
        value = reached.base(read)
        for step in steps:
            value = take(value, step)
        return value

    return now


def _global_reader(reached: Reached, name: str) -> Callable[[], Any]:
    reference, missing = reached.function, peek.MISSING

    def now() -> Any:
        function = reference()
        return missing if function is None else function.__globals__.get(name, missing)

    return now


def _attribute_reader(reached: Reached, name: str) -> Callable[[], Any] | None:
    """For an attribute in the object's own dictionary."""
    reference, missing = reached.owner, peek.MISSING
    owner = reference()
    if not isinstance(reference, weakref.ref) or name not in getattr(owner, "__dict__", ()):
        return None

    def now() -> Any:
        owner = reference()
        return missing if owner is None else owner.__dict__.get(name, missing)

    return now
