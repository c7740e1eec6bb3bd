"""Files that are to be looked at: in processes, each with one project for all of its files."""

import gc
from collections.abc import Iterable

from graphdoctor.config import Config
from graphdoctor.errors import SourceError, TooLargeError
from graphdoctor.judging.cache import Entry
from graphdoctor.judging.coverage import seen_in
from graphdoctor.judging.generations import with_generation
from graphdoctor.judging.modules import (
    Use,
    crash_finding,
    dry_run,
    examine,
    not_run,
    open_project,
    too_large,
)
from graphdoctor.judging.recheck import rechecked
from graphdoctor.model import Finding
from graphdoctor.recording import Recording
from graphdoctor.source import parse_module, read_notebook_or_source
from graphdoctor.source.files import (
    has_own_comments,
    is_program,
    may_be_traced,
    may_use_tensorflow,
    nameable,
    read_bytes,
    refuse_unnameable,
)
from graphdoctor.source.project import Project

__all__ = ["check_all", "not_run"]

FEW_FILES = 48
LARGE_CHUNK = 64

CheckedFile = tuple[str, Entry, Recording | None]


def check_all(
    files: list[tuple[str, bool]], config: Config, jobs: int, keep: bool
) -> Iterable[list[CheckedFile]]:
    """The entries of all files, some at a time, and the recordings to keep."""
    size = max(1, min(LARGE_CHUNK, len(files) // (4 * max(jobs, 1)) or 1))
    chunks = [files[start : start + size] for start in range(0, len(files), size)]
    if jobs <= 1 or len(files) < FEW_FILES:
        project = open_project(config, read_notebook_or_source)
        for chunk in chunks:
            yield check_chunk(chunk, config, project, keep)
        return
    from concurrent.futures import ProcessPoolExecutor, as_completed
    from concurrent.futures.process import BrokenProcessPool

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
        refuse_unnameable(path)
        data = read_bytes(path)
        if named or is_program(data) or _concerns_us(path, data):
            module = project.known(path)
            if module is None:
                module = parse_module(path, read_notebook_or_source(path, data), config.keras)
                project.add(module)
            recording = dry_run(module)
            findings, used = examine(module, config, recording)
            findings = with_generation(module, rechecked(module, findings, config), config)
            project.forget_if_large()
    except TooLargeError as error:
        recording = too_large(path, error)
    except SourceError as error:
        if named:
            raise
        findings = [crash_finding(nameable(path), error)]
    except RecursionError:
        findings = [crash_finding(path, SourceError(f"{path} is nested too deeply to be checked"))]
    entry = Entry(
        findings=tuple(findings),
        depends=tuple(sorted(project.dependencies())),
        keras=project.sign_of_keras(path),
        used=tuple(sorted({(where, line) for where, line, _ in used})),
        seen=seen_in(recording) if recording is not None else (),
    )
    return entry, recording


def _concerns_us(path: str, data: bytes) -> bool:
    notebook = path.endswith(".ipynb")  # it is there to be run, and may call what other files have
    return may_use_tensorflow(data) and (notebook or may_be_traced(data) or has_own_comments(data))
