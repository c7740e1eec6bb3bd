"""Random numbers that code draws while traced, seen by the state of what draws them.

AutoGraph does not convert what Keras runs: nobody hears the calls of such code, but what it draws from has
another state afterwards.
"""

import random
import types
from typing import Any, NamedTuple

from graphdoctor.observer.effects.effect_names import NOT_DRAWN, is_generator
from graphdoctor.observer.objects import peek
from graphdoctor.observer.user_code.callsite import chain_at
from graphdoctor.observer.user_code.reached_functions import Reached
from graphdoctor.observer.user_code.reads import Read
from graphdoctor.recording.format import Effect

MOST_READS = 50
# NumPy loads `numpy.random` when it is first used; its generator starts with all of its numbers.
UNLOADED = object()
FRESH = 624


class Draw(NamedTuple):
    """A place of traced code that names a method which draws, and the state it would draw from."""

    reached: Reached
    read: Read
    name: str
    before: object

    @property
    def place(self) -> tuple[str, int]:
        """Where it stands."""
        return self.reached.code.co_filename, self.read.line

    @property
    def was_drawn(self) -> bool:
        """Whether the state is another one now."""
        found = _drawing(self.reached, self.read)
        if found is None:
            return False
        if self.before is UNLOADED:  # a fresh one has used nothing up
            return bool(found[0].get_state(legacy=False)["state"]["pos"] != FRESH)
        return _state(found[0]) != self.before


def possible_draws(functions: list[Reached]) -> list[Draw]:
    """The places in code that is about to be traced where it may draw."""
    found: list[Draw] = []
    for reached in functions:
        for read in reached.outside.reads:
            drawing = _drawing(reached, read) if len(found) < MOST_READS else None
            if drawing is not None:
                owner, name = drawing
                found.append(Draw(reached, read, name, _state(owner)))
            elif _is_unloaded(reached, read):
                found.append(Draw(reached, read, f"numpy.random.{read.steps[1].key}", UNLOADED))
    return found


def drawn(draws: list[Draw], reported: set[tuple[str, int]], trace: int) -> Effect | None:
    """The draw that nobody heard; None where it may have been at several places."""
    places = {draw.place: draw for draw in draws if draw.place not in reported and draw.was_drawn}
    if len(places) != 1 or any(draw.place in reported for draw in draws):
        return None
    ((path, line), draw) = places.popitem()
    return Effect(
        trace=trace,
        chain=chain_at(path, line, draw.reached.name),
        what="random",
        name=draw.name,
        once=draw.reached.code.co_name in ("__init__", "build"),
    )


def _drawing(reached: Reached, read: Read) -> tuple[Any, str] | None:
    """The generator behind a name such as `np.random.rand` or `self.rng.normal`, and the method."""
    before: Any = None
    for count, value in reached.values(read):
        if count == len(read.steps):
            owner = getattr(value, "__self__", None) if callable(value) else None
            name = str(read.steps[-1].key) if read.steps else read.name
            if owner is not None and is_generator(owner) and name not in NOT_DRAWN:
                return owner, _named(owner, name)
        before = value
    # A method is found in the class, not in the object.
    if before is not None and is_generator(before) and read.steps:
        return before, _named(before, str(read.steps[-1].key))
    return None


def _is_unloaded(reached: Reached, read: Read) -> bool:
    """Whether a name is `np.random.…`, and nobody has used `numpy.random` before."""
    *_, (count, value) = [(0, None), *reached.values(read)]
    module = getattr(value, "__name__", "") if isinstance(value, types.ModuleType) else ""
    keys = [str(step.key) for step in read.steps]
    return (
        module == "numpy"
        and count == 0
        and len(keys) == 2
        and keys[0] == "random"
        and keys[1] not in NOT_DRAWN
    )


def _named(owner: Any, name: str) -> str:
    return f"random.{name}" if isinstance(owner, random.Random) else f"numpy.random.{name}"


def _state(owner: Any) -> object:
    """Something that differs after a draw."""
    if isinstance(owner, random.Random):
        return hash(owner.getstate()) if type(owner) is random.Random else peek.MISSING
    if hasattr(owner, "bit_generator"):
        return repr(owner.bit_generator.state)
    state = owner.get_state(legacy=False)
    return state["state"]["pos"], state["state"]["key"][:4].tobytes(), state["has_gauss"]
