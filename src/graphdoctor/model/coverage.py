"""What `check` looked at, so that "No findings" says how much that means."""

import msgspec


class NotFollowed(msgspec.Struct, frozen=True, kw_only=True):
    """A function, or a module (`<module>`), that was not followed, or not to its end, and why."""

    name: str
    path: str
    line: int
    reason: str


class Coverage(msgspec.Struct, frozen=True, kw_only=True):
    """The functions of the checked files: those that ran in a graph, and of these what they are to it.

    `eager` ran outside graphs only. `irrelevant` did not run: nothing in them can reach a graph.
    """

    graph_functions: int = 0
    keras_methods: int = 0
    dataset_functions: int = 0
    eager: int = 0
    irrelevant: int = 0
    not_followed: tuple[NotFollowed, ...] = ()
