"""A trainer's own `config`, whatever its class, as nested plain values; without importing anything else."""

from collections.abc import Iterator, Mapping
from typing import Any

DEEPEST = 4


def plain_settings(config: Any, depth: int = 0) -> dict[str, Any] | None:
    """Its switches, numbers and texts by name, section by section; None where there are none."""
    found: dict[str, Any] = {}
    for name, value in _members(config):
        if value is None or isinstance(value, bool | int | float | str):
            found[name] = value
        elif depth < DEEPEST:
            inner = plain_settings(value, depth + 1)
            if inner:
                found[name] = inner
    return found or None


def _members(config: Any) -> Iterator[tuple[str, Any]]:
    """The items of a mapping, or the fields of an object made of them (dataclass, struct, namespace)."""
    if isinstance(config, Mapping):
        yield from ((str(name), value) for name, value in config.items())
        return
    names = getattr(config, "__struct_fields__", None) or getattr(config, "_fields", None)
    if names is None:
        names = getattr(config, "__dataclass_fields__", None) or getattr(config, "__dict__", {})
    if isinstance(config, type) or callable(config):
        return
    for name in list(names):
        if not name.startswith("_"):
            yield name, getattr(config, name, None)
