"""Many files: in processes, with a memory of what has not changed, each told once."""

import dataclasses
import gc
import os
from collections.abc import Callable, Iterable
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool

from graphdoctor.config import Config
from graphdoctor.errors import SourceError
from graphdoctor.judging.cache import Cache, Entry
from graphdoctor.judging.coverage import Seen, seen_in
from graphdoctor.judging.modules import Use, crash_finding, dry_run, examine, not_run, open_project
from graphdoctor.model import Finding
from graphdoctor.recording import Recording
from graphdoctor.source import parse_module, read_notebook_or_source
from graphdoctor.source.files import (
    has_own_comments,
    is_program,
    may_be_traced,
    may_use_tensorflow,
    read_bytes,
)
from graphdoctor.source.project import Project

FEW_FILES = 48
UNUSED_NOQA = "GD002"
LARGE_CHUNK = 64
Progress = Callable[[int, int], None]


@dataclasses.dataclass(frozen=True, slots=True)
class Checked:
    """What all files show: findings, what became of each function, and the recordings if they are wanted."""

    findings: list[Finding]
    seen: list[Seen]
    recordings: list[Recording]


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
    done = len(files) - len(waiting)
    for entries in _check_all(waiting, config, jobs, keep):
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


CheckedFile = tuple[str, Entry, Recording | None]


def _check_all(
    files: list[tuple[str, bool]], config: Config, jobs: int, keep: bool
) -> Iterable[list[CheckedFile]]:
    size = max(1, min(LARGE_CHUNK, len(files) // (4 * max(jobs, 1)) or 1))
    chunks = [files[start : start + size] for start in range(0, len(files), size)]
    if jobs <= 1 or len(files) < FEW_FILES:
        project = open_project(config, read_notebook_or_source)
        for chunk in chunks:
            yield check_chunk(chunk, config, project, keep)
        return
    try:
        with ProcessPoolExecutor(jobs, initializer=_begin_worker, initargs=(config,)) as pool:
            waiting = [pool.submit(_check_in_worker, chunk, config, keep) for chunk in chunks]
            for future in as_completed(waiting):
                yield future.result()
    except BrokenProcessPool as error:
        raise SourceError("a worker process ended early; try --jobs 1") from error


_projects: list[Project] = []  # of a worker process: what one chunk has read, the next one need not read


def _begin_worker(config: Config) -> None:
    _projects.append(open_project(config, read_notebook_or_source))


def _check_in_worker(files: list[tuple[str, bool]], config: Config, keep: bool) -> list[CheckedFile]:
    return check_chunk(files, config, _projects[-1], keep)


def check_chunk(
    files: list[tuple[str, bool]], config: Config, project: Project, keep: bool = False
) -> list[CheckedFile]:
    """The entries of some files, and the recordings to keep."""
    automatic = gc.isenabled()
    gc.disable()  # syntax trees are many small objects without cycles; looking for some doubles the time
    try:
        checked = []
        for path, named in files:
            entry, recording = _check_file(path, named, config, project)
            checked.append((path, entry, recording if keep else None))
        return checked
    finally:
        if automatic:
            gc.enable()


def _check_file(path: str, named: bool, config: Config, project: Project) -> tuple[Entry, Recording | None]:
    project.consulted = {path}
    findings: list[Finding] = []
    used: set[Use] = set()
    recording = None
    try:
        data = read_bytes(path)
        if named or is_program(data) or _concerns_us(data):
            module = project.known(path)
            if module is None:
                module = parse_module(path, read_notebook_or_source(path, data), config.keras)
                project.add(module)
            recording = dry_run(module)
            findings, used = examine(module, config, recording)
            project.forget_if_large()
    except SourceError as error:
        if named:
            raise
        findings = [crash_finding(path, error)]
    except RecursionError:
        findings = [crash_finding(path, SourceError(f"{path} is nested too deeply to be checked"))]
    generation = project.keras_generation(path)
    entry = Entry(
        findings=tuple(findings),
        depends=tuple(sorted(project.dependencies())),
        keras=generation or 0,
        used=tuple(sorted({(where, line) for where, line, _ in used})),
        seen=seen_in(recording) if recording is not None else (),
    )
    return entry, recording


def _concerns_us(data: bytes) -> bool:
    return may_use_tensorflow(data) and (may_be_traced(data) or has_own_comments(data))


def default_jobs() -> int:
    """As many processes as this one may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
