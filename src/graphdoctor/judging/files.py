"""Many files: in processes, with a memory of what has not changed, each reported once."""

import os
from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from graphdoctor.config import Config
from graphdoctor.judging.cache import Cache
from graphdoctor.judging.coverage import Seen
from graphdoctor.model import Finding

if TYPE_CHECKING:
    from graphdoctor.recording import Recording

UNPARSABLE, UNUSED_NOQA = "GD000", "GD002"
Progress = Callable[[int, int], None]


class Checked(NamedTuple):
    """What all files show: findings, what became of each function, and the recordings if they are wanted."""

    findings: list[Finding]
    seen: list[Seen]
    recordings: "list[Recording]"


def check_files(
    files: list[tuple[str, bool]],
    config: Config,
    *,
    cache: Cache | None = None,
    jobs: int = 1,
    progress: Progress | None = None,
    keep: bool = False,
) -> Checked:
    """What all files show; SourceError for one that the user named and cannot be read.

    `keep`: the recordings too, for which all is looked at afresh.
    """
    findings: list[Finding] = []
    seen: list[Seen] = []
    recordings: dict[str, Recording] = {}
    used: set[tuple[str, int]] = set()  # comments that another file's check needed
    waiting: list[tuple[str, bool]] = []
    for path, named in files:
        known = cache.find(path) if cache is not None and not keep else None
        if known is not None:
            findings += known.findings
            seen += known.seen
            used.update(known.used)
        else:
            waiting.append((path, named))
    if waiting:
        from graphdoctor.judging.chunks import check_all, not_run

        done = len(files) - len(waiting)
        for entries in check_all(waiting, config, jobs, keep):
            for path, entry, recording in entries:
                findings += entry.findings
                seen += entry.seen
                used.update(entry.used)
                if keep:
                    recordings[path] = recording or not_run(path)
                if cache is not None:
                    cache.keep(path, entry)
            done += len(entries)
            if progress is not None:
                progress(done, len(files))
    if cache is not None:
        cache.write()
    needed = [finding for finding in findings if finding.rule != UNUSED_NOQA or _place(finding) not in used]
    return Checked(needed, seen, [recordings[path] for path, _ in files if path in recordings])


def _place(finding: Finding) -> tuple[str, int]:
    return finding.path, finding.line


def default_jobs() -> int:
    """As many processes as this one may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
