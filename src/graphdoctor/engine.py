"""The glue: check files, judge recordings, and join what both halves know."""

import os
from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from graphdoctor.checking import check_files, check_module, open_project
from graphdoctor.checking.cache import Cache
from graphdoctor.checking.module import UNPARSABLE
from graphdoctor.checking.paths import Progress
from graphdoctor.config import Config
from graphdoctor.confirmation import confirm
from graphdoctor.model import Evidence, Finding, Report, RunSummary
from graphdoctor.recording import History, Recording, Selection, histories
from graphdoctor.recording.details import detail
from graphdoctor.recording.processes import summarise_processes, wall_seconds
from graphdoctor.rules.failures import explain_failures
from graphdoctor.rules.registry import find_rule, is_selected, selected_rules
from graphdoctor.source import find_files, parse_module, read_notebook_or_source
from graphdoctor.source.sites import Sources, root_of
from graphdoctor.traced_code import check_traced_code
from graphdoctor.version import __version__

__all__ = ["check_module", "check_paths", "check_text", "judge_recordings", "merge", "open_project"]


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


def judge_recordings(
    recordings: tuple[Recording, ...], config: Config, selection: Selection | None = None
) -> Report:
    """Everything a run showed, joined with what the source of its traced functions shows."""
    selection = selection or Selection()
    told = selection.apply(histories(recordings))
    sources = Sources(recordings[0].header.directory, config.keras)
    observed = [*_judge(told, sources, config), *_judge_values(recordings, sources, config)]
    observed += [
        replace(finding, evidence=Evidence.RUN)
        for recording in recordings
        for finding in explain_failures(recording)
        if is_selected(finding.rule, config.select, config.ignore) and selection.covers(finding.path)
    ]
    from_source = [f for f in check_traced_code(told, sources, config) if selection.covers(f.path)]
    from_source += _check_where(observed, from_source, sources, config)
    joined = confirm(merge(from_source, observed), recordings, sources, config)
    return Report(
        graphdoctor=__version__,
        tensorflow=recordings[0].header.tensorflow,
        complete=all(recording.complete for recording in recordings),
        findings=_by_cost(f for f in joined if not _settled(f)),
        functions=tuple(history.summary() for history in told),
        run=_summarise(recordings),
        details=detail(recordings, told),
    )


def _settled(finding: Finding) -> bool:
    """Whether a run could have shown what only the source says, and did not."""
    rule = find_rule(finding.rule)
    return finding.evidence is Evidence.SOURCE and rule is not None and rule.settled_by_run


def _summarise(recordings: tuple[Recording, ...]) -> RunSummary:
    traces = [trace for recording in recordings for trace in recording.traces]
    return RunSummary(
        seconds=round(wall_seconds(recordings), 6),
        traces=len(traces),
        tracing_seconds=round(sum(trace.own_seconds for trace in traces), 6),
        remarks=tuple(_remarks(recordings)),
        processes=summarise_processes(recordings) if len(recordings) > 1 else (),
    )


def _remarks(recordings: tuple[Recording, ...]) -> Iterator[str]:
    for recording in recordings:
        whose = f"process {recording.header.process}: " if len(recordings) > 1 else ""
        yield from (whose + remark for remark in recording.remarks)


def _judge(told: tuple[History, ...], sources: Sources, config: Config) -> Iterator[Finding]:
    for rule in selected_rules(config.select, config.ignore):
        for history in told:
            for finding in rule.check_recording(history, sources):
                module = sources.module(finding.path)
                if module is None or not module.is_suppressed(finding.rule, finding):
                    yield replace(finding, evidence=Evidence.RUN)


def _judge_values(recordings: tuple[Recording, ...], sources: Sources, config: Config) -> Iterator[Finding]:
    """What the rules say of gradients that are None, and of infinity and NaN; the same thing once."""
    told = set()
    for rule in selected_rules(config.select, config.ignore):
        for recording in recordings:
            found = [f for event in recording.gradients for f in rule.check_gradient(event, sources)]
            found += [f for event in recording.numerics for f in rule.check_numerics(event, sources)]
            for finding in found:
                module = sources.module(finding.path)
                once = (finding.rule, finding.path, finding.line, finding.message)
                if once not in told and (module is None or not module.is_suppressed(finding.rule, finding)):
                    told.add(once)
                    yield replace(finding, evidence=Evidence.RUN)


def _check_where(
    observed: list[Finding], known: list[Finding], sources: Sources, config: Config
) -> Iterator[Finding]:
    """What the source shows at the very places of what was observed outside traced functions."""
    places = {(finding.rule, finding.path, finding.line) for finding in observed}
    for path in sorted({path for rule, path, _ in places if rule.startswith("GD5")}):
        module = sources.module(path)
        for finding in check_module(module, config) if module else ():
            if (finding.rule, finding.path, finding.line) in places and finding not in known:
                yield finding


def merge(from_source: list[Finding], observed: list[Finding]) -> list[Finding]:
    """Both kinds of evidence, with one finding where both speak of the same thing."""
    waiting = list(observed)
    merged = []
    for finding in from_source:
        partner = next((other for other in waiting if _same_matter(finding, other)), None)
        if partner is None:
            merged.append(finding)
        else:
            waiting.remove(partner)
            merged.append(_joined(finding, partner))
    return merged + waiting


def _same_matter(source: Finding, run: Finding) -> bool:
    if (source.rule, source.function) != (run.rule, run.function):
        return False
    if source.argument is None or run.argument is None:
        return source.line == run.line or run.column == run.end_column
    return source.argument == root_of(run.argument)


def _joined(source: Finding, run: Finding) -> Finding:
    """The exact place from the source, the words and figures from the run."""
    return replace(
        source,
        evidence=Evidence.BOTH,
        argument=run.argument or source.argument,
        message=run.message,
        observed=run.observed,
        fix=source.fix or run.fix,
        related=source.related + run.related,
    )


def _in_reading_order(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Sorted by place; what was reached from several modules is told once."""
    once = {(f.rule, f.place, f.end_line, f.end_column): f for f in reversed(list(findings))}
    return tuple(sorted(once.values(), key=lambda finding: (finding.place, finding.rule)))


def _by_cost(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    def cost(finding: Finding) -> tuple[float, tuple[str, int, int, int]]:
        return (-finding.observed.seconds if finding.observed else 0.0, finding.place)

    once = dict.fromkeys(findings)  # several processes of one program say the same
    return tuple(sorted(once, key=cost))
