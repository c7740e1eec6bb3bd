"""What the dry runs of a project know of the values on one line."""

from collections.abc import Iterable

from graphdoctor.config import Config
from graphdoctor.dryrun.known_values import KnownValue, noted_on
from graphdoctor.judging.checks import check_paths


def values_on_line(path: str, line: int, paths: Iterable[str], config: Config) -> list[KnownValue]:
    """Each expression on the line with each of its values, by column."""
    with noted_on(path, line) as found:
        check_paths(paths, config)
    return sorted(found, key=lambda each: (each.column, each.expression))
