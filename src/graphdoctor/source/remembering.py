"""Answers that are worked out once: about syntax, which go with its trees, and about files.

A cache by nodes keeps the trees of files that nobody looks at any more: an editor's server parses a
file at every pause of its user. And files change while it runs.
"""

import functools
from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar, cast

P = ParamSpec("P")
T = TypeVar("T")
_caches: "list[functools._lru_cache_wrapper[Any]]" = []
_of_files: "list[functools._lru_cache_wrapper[Any]]" = []


def remembered(most: int) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """A function of nodes is asked once for each, and remembers at most this many answers."""

    def decorate(function: Callable[P, T]) -> Callable[P, T]:
        cache = functools.lru_cache(maxsize=most)(function)
        _caches.append(cache)
        return cast("Callable[P, T]", cache)

    return decorate


def forget_syntax() -> None:
    """Let go of all that is remembered of nodes; it is worked out again where somebody asks again."""
    for cache in _caches:
        cache.cache_clear()


def remembered_of_files(function: Callable[P, T]) -> Callable[P, T]:
    """A function that reads files is asked once for each path."""
    cache = functools.cache(function)
    _of_files.append(cache)
    return cast("Callable[P, T]", cache)


def forget_files() -> None:
    """Let go of all that is remembered of files, which may have changed."""
    for cache in _of_files:
        cache.cache_clear()
