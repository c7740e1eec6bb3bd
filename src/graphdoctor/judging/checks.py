"""Files and texts → the report of what the source shows."""

import os
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

import msgspec

from graphdoctor.config import Config
from graphdoctor.judging.cache import Cache
from graphdoctor.judging.coverage import Seen, coverage_of, predicted_functions, reported_once, seen_in
from graphdoctor.judging.files import UNPARSABLE, Progress, check_files
from graphdoctor.judging.left_out import rules_left_out
from graphdoctor.model import Called, Finding, Report, Severity
from graphdoctor.source.files import find_files, nameable
from graphdoctor.source.parts import part_of
from graphdoctor.version import __version__

if TYPE_CHECKING:
    from graphdoctor.source.project import Project
    from graphdoctor.source.project_index import ProjectIndex


def check_paths(
    paths: Iterable[str],
    config: Config,
    *,
    cache: bool = False,
    jobs: int = 1,
    progress: Progress | None = None,
    recording: str | None = None,
) -> Report:
    """Everything the source shows; SourceError for a file that the user named and cannot be read.

    `recording` is the file that keeps what the dry runs saw.
    """
    files = list(find_files(paths, config.exclude))
    shown = {path for path, named in files if named or part_of(path) not in config.leave_out}
    if recording is not None:
        files = [(path, named) for path, named in files if path in shown]
    elif all(named for _, named in files):  # others may trace what is in them
        from graphdoctor.source.importers import find_importers

        files += [(path, False) for path in find_importers(shown, config.exclude)]
    memory = Cache(os.getcwd(), config) if cache else None
    checked = check_files(
        files, config, cache=memory, jobs=jobs, progress=progress, keep=recording is not None
    )
    if recording is not None:
        from graphdoctor.judging.keeping import write_recordings

        write_recordings(recording, checked.recordings)
    findings = _with_project(checked.findings, config)
    return report_of(findings, checked.seen, shown)


def _with_project(
    findings: list[Finding],
    config: Config,
    texts: Mapping[str, str] | None = None,
    index: "ProjectIndex | None" = None,
) -> list[Finding]:
    """The findings with the evidence of the whole project; nothing is read where nothing was found."""
    if not findings:
        return findings
    from graphdoctor.judging.project_evidence import with_project_evidence
    from graphdoctor.source.project_index import ProjectIndex

    return with_project_evidence(findings, index or ProjectIndex(config.exclude, texts), config)


def check_text(
    path: str,
    text: str,
    config: Config,
    project: "Project | None" = None,
    index: "ProjectIndex | None" = None,
) -> Report:
    """Everything that a text shows that is not, or not yet, in the file of this name.

    The text of a notebook is its JSON. `project` and `index` are those of an earlier check, as far as they
    are still right.
    """
    from graphdoctor.errors import TooLargeError
    from graphdoctor.judging.generations import with_generation
    from graphdoctor.judging.modules import dry_run, examine, open_project, too_large
    from graphdoctor.judging.recheck import rechecked
    from graphdoctor.source import parse_text, read_notebook_or_source

    if project is None:
        project = open_project(config, read_notebook_or_source)
    try:
        module = parse_text(path, text, config.keras)
    except TooLargeError as error:
        return report_of((), seen_in(too_large(path, error)), {path})
    project.add(module)
    recording = dry_run(module)
    found = rechecked(module, examine(module, config, recording)[0], config)
    found = with_generation(module, found, config)
    findings = _with_project(found, config, {path: module.text}, index)
    return report_of(findings, seen_in(recording), {path})


def report_of(findings: Iterable[Finding], seen: Iterable[Seen], shown: set[str]) -> Report:
    """The report of what was found and looked at in some files."""
    named = {nameable(path) for path in shown}
    reported = _in_reading_order(finding for finding in findings if finding.path in named)
    looked_at = reported_once(seen, shown)
    return Report(
        graphdoctor=__version__,
        complete=not any(finding.rule == UNPARSABLE for finding in reported) and not rules_left_out(),
        findings=reported,
        functions=predicted_functions(looked_at),
        coverage=coverage_of(looked_at),
    )


def _in_reading_order(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Sorted by place; what was reached from several modules is reported once, with the most confidence.

    Which module was checked first does not decide it: that differs from process to process.
    """
    once: dict[object, Finding] = {}
    for finding in findings:
        key = (finding.rule, finding.place, finding.end_line, finding.end_column)
        once[key] = min(once[key], finding, key=_preference) if key in once else finding
    return tuple(sorted(once.values(), key=lambda finding: (finding.place, finding.rule)))


def _preference(finding: Finding) -> tuple[int, int, bool, int, int, bytes]:
    severity = tuple(Severity).index(finding.severity)
    grounds = finding.known_grounds
    called = grounds is None or grounds.called not in (Called.DRIVER, Called.NOTHING)
    level = finding.confidence.level.rank
    edited = {edit.path for edit in finding.fix.edits} if finding.fix is not None else set()
    return level, severity, not called, -len(edited), len(finding.reached), msgspec.json.encode(finding)
