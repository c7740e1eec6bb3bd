"""YAML → frozen, checked settings: the one way in which the workloads are configured.

An unknown key or a wrong value is a `SettingsError` that names the file and the place in it. A workload gives
its own kinds of settings, and says in `faults` which values do not go together.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, TypeVar

import msgspec
from msgspec import Meta

Positive = Annotated[int, Meta(ge=1)]
Natural = Annotated[int, Meta(ge=0)]
Rate = Annotated[float, Meta(gt=0)]


class SettingsError(ValueError):
    """A file from which no settings can be read, or settings that cannot work."""


class Settings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What all settings share."""

    def faults(self) -> Iterator[str]:
        """What is wrong with values that are right one by one."""
        yield from ()


Kind = TypeVar("Kind", bound=Settings)


def load(kind: type[Kind], path: Path) -> Kind:
    """The settings of a YAML file, checked."""
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise SettingsError(f"{path} cannot be read: {error.strerror}") from None
    return parse(kind, text, str(path))


def parse(kind: type[Kind], text: str, name: str = "config") -> Kind:
    """The settings of a YAML text, checked."""
    try:
        values = msgspec.yaml.decode(text)
    except msgspec.DecodeError as error:
        raise SettingsError(f"{name} is not YAML: {' '.join(str(error).split())}") from None
    return convert(kind, values, name)


def convert(kind: type[Kind], values: object, name: str = "config") -> Kind:
    """The settings of an already parsed mapping, checked; nothing means the defaults."""
    try:
        settings = msgspec.convert(values or {}, kind)
    except msgspec.ValidationError as error:
        raise SettingsError(f"{name}: {error}") from None
    for fault in settings.faults():
        raise SettingsError(f"{name}: {fault}")
    return settings


def save(settings: Settings, path: Path) -> None:
    """Write the settings beside what they made."""
    path.write_bytes(msgspec.yaml.encode(settings))
