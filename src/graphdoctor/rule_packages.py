"""The packages that bring rules of their own: their entry points, and what changes when their code does."""

import functools
import importlib.util
import os
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

GROUP = "graphdoctor.rules"
METADATA = (".dist-info", ".egg-info")


class Source(NamedTuple):
    """An entry point: the package that has it, with its version, and the module or class that it names."""

    package: str
    version: str
    point: "EntryPoint"

    def __str__(self) -> str:
        return f"{self.package} {self.version} ({self.point.value})"


@functools.cache
def rule_sources() -> tuple[Source, ...]:
    """The entry points of all installed packages, in an order that does not depend on the file system."""
    if not any(map(_names_the_group, sys.path)):
        return ()
    from importlib.metadata import entry_points  # takes as long as a check of files that have not changed

    found = {
        Source(one.dist.metadata["Name"], one.dist.version, one)
        for one in entry_points(group=GROUP)
        if one.dist is not None
    }
    return tuple(sorted(found, key=lambda source: (source.package, source.point.name, source.point.value)))


def state_of_packages() -> str:
    """What changes when the code of a package with rules does; imports none of them."""
    return "|".join(f"{one}{one.point.name}{_times(one.point.module)}" for one in rule_sources())


def _names_the_group(folder: str) -> bool:
    """Whether a package that is installed in a folder may have such an entry point."""
    try:
        with os.scandir(folder or ".") as entries:
            return any(_has_group(one.path) for one in entries if one.name.endswith(METADATA))
    except OSError:
        return folder.endswith((".zip", ".egg")) and os.path.isfile(folder)


def _has_group(metadata: str) -> bool:
    try:
        with open(os.path.join(metadata, "entry_points.txt"), "rb") as file:
            return GROUP.encode() in file.read()
    except OSError:
        return False


def _times(module: str) -> list[tuple[str, int, int]]:
    """The files of the package that a module is in, with their times and sizes."""
    found = []
    for path in _files(module.partition(".")[0]):
        try:
            status = os.stat(path)
        except OSError:
            continue
        found.append((path, status.st_mtime_ns, status.st_size))
    return sorted(found)


def _files(package: str) -> Iterator[str]:
    try:
        spec = importlib.util.find_spec(package)
    except (ImportError, ValueError):
        return
    if spec is None:
        return
    if spec.submodule_search_locations is None:
        yield from (spec.origin,) if spec.origin else ()
    for folder in spec.submodule_search_locations or ():
        for where, folders, names in os.walk(folder):
            folders[:] = [name for name in folders if name != "__pycache__"]
            yield from (os.path.join(where, name) for name in names)
