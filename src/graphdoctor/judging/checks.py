"""Files and texts → the report of what the source shows."""

import os
from collections.abc import Iterable

import msgspec

from graphdoctor.config import Config
from graphdoctor.judging.cache import Cache
from graphdoctor.judging.coverage import Seen, coverage_of, foretold_functions, seen_in, told_once
from graphdoctor.judging.files import UNPARSABLE, Progress, check_files
from graphdoctor.model import Finding, Report, Severity
from graphdoctor.source.files import find_files
from graphdoctor.source.parts import part_of
from graphdoctor.version import __version__


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
    return report_of(lowered(checked.findings, config), checked.seen, shown)


def lowered(findings: Iterable[Finding], config: Config) -> list[Finding]:
    """The findings, as severe as the whole project allows."""
    told = list(findings)
    if not told:
        return told
    from graphdoctor.judging.eager_programs import lowered_where_eager
    from graphdoctor.judging.never_ran import lowered_where_it_never_ran
    from graphdoctor.judging.older_code import (
        lowered_where_numpy_is_older,
        lowered_where_older,
        lowered_where_tensorflow_is_older,
    )
    from graphdoctor.judging.outside_data import lowered_where_data_are_outside
    from graphdoctor.judging.stored_outputs import lowered_where_it_ran
    from graphdoctor.judging.unused import lowered_where_unused

    usual = told if config.keras is not None else lowered_where_older(told)
    for lowering in (
        lowered_where_numpy_is_older,
        lowered_where_tensorflow_is_older,
        lowered_where_it_ran,
        lowered_where_it_never_ran,
    ):
        usual = lowering(usual)
    used = lowered_where_unused(usual, config.exclude)
    traced = lowered_where_eager(used, config.exclude)
    return lowered_where_data_are_outside(traced, config.exclude)


def check_text(path: str, text: str, config: Config) -> Report:
    """Everything that a text shows that is not, or not yet, in the file of this name."""
    from graphdoctor.judging.modules import dry_run, examine, open_project
    from graphdoctor.source import parse_module, read_notebook_or_source

    project = open_project(config, read_notebook_or_source)
    module = parse_module(path, text, config.keras)
    project.add(module)
    recording = dry_run(module)
    return report_of(examine(module, config, recording)[0], seen_in(recording), {path})


def report_of(findings: Iterable[Finding], seen: Iterable[Seen], shown: set[str]) -> Report:
    """The report of what was found and looked at in some files."""
    told = _in_reading_order(finding for finding in findings if finding.path in shown)
    looked_at = told_once(seen, shown)
    return Report(
        graphdoctor=__version__,
        complete=not any(finding.rule == UNPARSABLE for finding in told),
        findings=told,
        functions=foretold_functions(looked_at),
        coverage=coverage_of(looked_at),
    )


def _in_reading_order(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Sorted by place; what was reached from several modules is told once, at its most severe, by a program.

    Which module was checked first does not decide it: that differs from process to process.
    """
    once: dict[object, Finding] = {}
    for finding in findings:
        key = (finding.rule, finding.place, finding.end_line, finding.end_column)
        once[key] = min(once[key], finding, key=_preference) if key in once else finding
    return tuple(sorted(once.values(), key=lambda finding: (finding.place, finding.rule)))


def _preference(finding: Finding) -> tuple[int, bool, int, bytes]:
    severity = tuple(Severity).index(finding.severity)
    uncalled = finding.certainty is not None and finding.certainty.uncalled
    return severity, uncalled, len(finding.reached), msgspec.json.encode(finding)
