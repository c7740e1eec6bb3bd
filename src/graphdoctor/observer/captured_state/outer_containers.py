"""The lists and the like that traced code reads from outside itself, by identity."""

import collections

from graphdoctor.observer.objects import peek
from graphdoctor.observer.user_code.reached_functions import Reached
from graphdoctor.recording.format import State

GROWING = (list, set, collections.deque)
MOST_CONTAINERS = 200


def outer_containers(functions: list[Reached]) -> dict[int, State]:
    """What can grow and stands outside, as the code names it; nothing is kept alive."""
    found: dict[int, State] = {}
    for reached in functions:
        for read in reached.outside.reads:
            for count, value in reached.values(read):
                container = peek.unwrapped(value)
                if isinstance(container, GROWING) and len(found) < MOST_CONTAINERS:
                    name = read.name + "".join(map(str, read.steps[:count]))
                    found.setdefault(id(container), State(kind=type(container).__name__, name=name))
    return found
