"""Files and texts → the report of what the source shows."""

import os
from collections.abc import Iterable

from graphdoctor.config import Config
from graphdoctor.judging.cache import Cache
from graphdoctor.judging.files import Progress, check_files
from graphdoctor.judging.modules import UNPARSABLE, check_module, open_project
from graphdoctor.model import Finding, Report
from graphdoctor.source import find_files, parse_module, read_notebook_or_source
from graphdoctor.version import __version__


def check_paths(
    paths: Iterable[str],
    config: Config,
    *,
    cache: bool = False,
    jobs: int = 1,
    progress: Progress | None = None,
) -> Report:
    """Everything the source shows; SourceError for a file that the user named and cannot be read."""
    files = list(find_files(paths, config.exclude))
    memory = Cache(os.getcwd(), config) if cache else None
    findings = check_files(files, config, cache=memory, jobs=jobs, progress=progress)
    shown = {path for path, _ in files}
    return _report_of(finding for finding in findings if finding.path in shown)


def check_text(path: str, text: str, config: Config) -> Report:
    """Everything that a text shows that is not, or not yet, in the file of this name."""
    project = open_project(config, read_notebook_or_source)
    module = parse_module(path, text, config.keras)
    project.add(module)
    return _report_of(finding for finding in check_module(module, config) if finding.path == path)


def _report_of(findings: Iterable[Finding]) -> Report:
    told = _in_reading_order(findings)
    complete = not any(finding.rule == UNPARSABLE for finding in told)
    return Report(graphdoctor=__version__, complete=complete, findings=told)


def _in_reading_order(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Sorted by place; what was reached from several modules is told once."""
    once = {(f.rule, f.place, f.end_line, f.end_column): f for f in reversed(list(findings))}
    return tuple(sorted(once.values(), key=lambda finding: (finding.place, finding.rule)))
