"""Which features of an example vary in length, and what fills them up."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from graphdoctor.batching.errors import BatchingError


@dataclass(frozen=True)
class Layout:
    """The lengths of an example (a dict of tensors whose axis 0 is the length).

    Args:
        lengths: one or two features that set a length each, e.g. `("text", "mel")`.
        follows: features as long as one of them, e.g. `{"durations": "text"}`.
        padding: what fills a feature up, zero by default.
    """

    lengths: tuple[str, ...]
    follows: Mapping[str, str] = field(default_factory=dict)
    padding: Mapping[str, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not 1 <= len(self.lengths) <= 2:
            raise BatchingError(f"`lengths` must name one or two features, got {self.lengths!r}")
        for name, leader in self.follows.items():
            if leader not in self.lengths:
                raise BatchingError(f"`{name}` follows {leader!r}, which is not in `lengths`")

    def axes(self) -> dict[str, int]:
        """The index of the length that each varying feature has."""
        own = {name: index for index, name in enumerate(self.lengths)}
        return own | {name: own[leader] for name, leader in self.follows.items()}
