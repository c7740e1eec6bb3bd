"""Many files: in processes, with a memory of what has not changed, each told once."""

import gc
import os
from collections.abc import Callable, Iterable
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool

from graphdoctor.config import Config
from graphdoctor.errors import SourceError
from graphdoctor.judging.cache import Cache, Entry
from graphdoctor.judging.modules import Use, crash_finding, examine, open_project
from graphdoctor.model import Finding
from graphdoctor.source import parse_module, read_notebook_or_source
from graphdoctor.source.files import has_own_comments, may_be_traced, may_use_tensorflow, read_bytes
from graphdoctor.source.project import Project

FEW_FILES = 48
UNUSED_NOQA = "GD002"
LARGE_CHUNK = 64
Progress = Callable[[int, int], None]


def check_files(
    files: list[tuple[str, bool]],
    config: Config,
    *,
    cache: Cache | None = None,
    jobs: int = 1,
    progress: Progress | None = None,
) -> list[Finding]:
    """What all files show; SourceError for one that the user named and cannot be read."""
    findings: list[Finding] = []
    used: set[tuple[str, int]] = set()  # comments that another file's check needed
    waiting: list[tuple[str, bool]] = []
    for path, named in files:
        known = cache.find(path) if cache is not None else None
        if known is not None:
            findings += known.findings
            used.update(known.used)
        else:
            waiting.append((path, named))
    done = len(files) - len(waiting)
    for entries in _check_all(waiting, config, jobs):
        for path, entry in entries:
            findings += entry.findings
            used.update(entry.used)
            if cache is not None:
                cache.keep(path, entry)
        done += len(entries)
        if progress is not None:
            progress(done, len(files))
    if cache is not None:
        cache.write()
    return [finding for finding in findings if finding.rule != UNUSED_NOQA or _place(finding) not in used]


def _place(finding: Finding) -> tuple[str, int]:
    return finding.path, finding.line


def _check_all(files: list[tuple[str, bool]], config: Config, jobs: int) -> Iterable[list[tuple[str, Entry]]]:
    size = max(1, min(LARGE_CHUNK, len(files) // (4 * max(jobs, 1)) or 1))
    chunks = [files[start : start + size] for start in range(0, len(files), size)]
    if jobs <= 1 or len(files) < FEW_FILES:
        for chunk in chunks:
            yield check_chunk(chunk, config)
        return
    try:
        with ProcessPoolExecutor(jobs) as pool:
            for future in as_completed([pool.submit(check_chunk, chunk, config) for chunk in chunks]):
                yield future.result()
    except BrokenProcessPool as error:
        raise SourceError("a worker process ended early; try --jobs 1") from error


def check_chunk(files: list[tuple[str, bool]], config: Config) -> list[tuple[str, Entry]]:
    """The entries of some files; runs in a process of its own."""
    automatic = gc.isenabled()
    gc.disable()  # syntax trees are many small objects without cycles; looking for some doubles the time
    try:
        project = open_project(config, read_notebook_or_source)
        return [(path, _check_file(path, named, config, project)) for path, named in files]
    finally:
        if automatic:
            gc.enable()


def _check_file(path: str, named: bool, config: Config, project: Project) -> Entry:
    project.consulted = {path}
    findings: list[Finding] = []
    used: set[Use] = set()
    try:
        data = read_bytes(path)
        if named or (may_use_tensorflow(data) and (may_be_traced(data) or has_own_comments(data))):
            module = parse_module(path, read_notebook_or_source(path, data), config.keras)
            project.add(module)
            findings, used = examine(module, config)
            if project.forget_if_large():
                gc.collect()
    except SourceError as error:
        if named:
            raise
        findings = [crash_finding(path, error)]
    except RecursionError:
        findings = [crash_finding(path, SourceError(f"{path} is nested too deeply to be checked"))]
    generation = project.keras_generation(path)
    return Entry(
        findings=tuple(findings),
        depends=tuple(sorted(project.dependencies())),
        keras=generation or 0,
        used=tuple(sorted({(where, line) for where, line, _ in used})),
    )


def default_jobs() -> int:
    """As many processes as this one may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
