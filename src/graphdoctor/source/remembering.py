"""Answers about syntax that are worked out once, and go when the trees that they are about go.

A cache by nodes keeps the trees of files that nobody looks at any more: an editor's server parses a
file at every pause of its user.
"""

import functools
from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar, cast

P = ParamSpec("P")
T = TypeVar("T")
_caches: "list[functools._lru_cache_wrapper[Any]]" = []


def remembered(most: int) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """A function of nodes is asked once for each, and remembers at most this many answers."""

    def decorate(function: Callable[P, T]) -> Callable[P, T]:
        cache = functools.lru_cache(maxsize=most)(function)
        _caches.append(cache)
        return cast("Callable[P, T]", cache)

    return decorate


def forget_syntax() -> None:
    """Let go of all that is remembered of nodes; it is worked out anew where somebody asks again."""
    for cache in _caches:
        cache.cache_clear()
