"""Recordings → the report: findings, functions, figures and what could not be seen."""

from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from graphdoctor.config import Config
from graphdoctor.judging.checks import report_of
from graphdoctor.judging.coverage import seen_in
from graphdoctor.judging.keeping import checked_files, judge_again
from graphdoctor.judging.left_out import rules_left_out
from graphdoctor.judging.static_and_runtime import judge_both_halves
from graphdoctor.model import Account, Finding, Report, RunSummary, Safety
from graphdoctor.recording import Recording, Selection
from graphdoctor.recording.details import detail
from graphdoctor.recording.grouping import is_counted
from graphdoctor.recording.processes import summarise_processes, wall_seconds
from graphdoctor.recording.time_account import account_for_time, optimising_seconds
from graphdoctor.source.sites import Sources
from graphdoctor.version import __version__

REDACTED = "redacted: `#…` is the digest of a value; the source is shown with 0 and * for its literals"


def judge_recordings(
    recordings: tuple[Recording, ...], config: Config, selection: Selection | None = None
) -> Report:
    """Everything that recordings tell, joined with what the source of the traced functions shows."""
    selection = selection or Selection()
    if all(recording.is_dry for recording in recordings):
        looked = [one for recording in recordings for one in seen_in(recording)]
        shown = set(filter(selection.covers, checked_files(recordings)))
        return report_of(judge_again(recordings, config), looked, shown)
    masked = any(recording.header.redacted for recording in recordings)
    sources = Sources(recordings[0].header.directory, config.keras or _keras_generation(recordings), masked)
    facts, findings, spent = judge_both_halves(recordings, sources, config, selection)
    if masked:
        findings = [_without_edits(finding) for finding in findings]
    optimised = optimising_seconds(recordings)
    findings = [_with_optimising(finding, optimised) for finding in findings]
    hidden = _hidden(findings, recordings, sources, config, selection)
    runs, seen = facts.runs, [history for history in facts.histories if history.is_seen]
    return Report(
        graphdoctor=__version__,
        tensorflow=runs[0].header.tensorflow if runs else None,
        complete=all(recording.complete for recording in recordings) and not rules_left_out(),
        findings=_by_cost(findings),
        functions=tuple(history.summary() for history in seen),
        run=_summarise(runs, spent, hidden) if runs else None,
        details=detail(runs, seen) if runs else None,
        time=account_for_time(runs[0]) if runs else None,
    )


def _without_edits(finding: Finding) -> Finding:
    """The finding as it may be given to others: an edit is made of the text around it."""
    fix = finding.fix
    if fix is not None and fix.edits:
        fix = replace(fix, edits=(), safety=Safety.MANUAL)
    return replace(finding, fix=fix, alternatives=())


def _with_optimising(finding: Finding, optimised: dict[int, float]) -> Finding:
    """The finding with what TensorFlow took to optimise, or XLA to compile, the graphs of its traces."""
    observed = finding.observed
    if observed is None or not observed.traces:
        return finding
    seconds = round(sum(optimised.get(number, 0.0) for number in observed.explains), 6)
    if seconds <= 0:
        return finding
    return replace(finding, observed=replace(observed, optimising_seconds=seconds))


def _keras_generation(recordings: tuple[Recording, ...]) -> int | None:
    """The generation of Keras that a run had."""
    versions = (recording.header.keras for recording in recordings)
    return next((int(version[0]) for version in versions if version[:1] in ("2", "3")), None)


def _hidden(
    shown: Iterable[Finding],
    recordings: tuple[Recording, ...],
    sources: Sources,
    config: Config,
    selection: Selection,
) -> tuple[str, ...]:
    """What there is beside the findings in the files that were asked for."""
    if not selection.include and not selection.exclude:
        return ()
    _, found, _ = judge_both_halves(recordings, sources, config, Selection(warmup=selection.warmup))
    reported = {(finding.rule, finding.place) for finding in shown}
    left = [finding for finding in _by_cost(found) if (finding.rule, finding.place) not in reported]
    return tuple(f"{finding.rule} {finding.path}:{finding.line}" for finding in left)


def _summarise(recordings: tuple[Recording, ...], spent: Account, hidden: tuple[str, ...]) -> RunSummary:
    traces = [trace for recording in recordings for trace in recording.traces]
    return RunSummary(
        seconds=round(wall_seconds(recordings), 6),
        traces=sum(map(is_counted, traces)),
        tracing_seconds=round(sum(trace.own_seconds for trace in traces), 6),
        remarks=tuple(_remarks(recordings)),
        processes=summarise_processes(recordings) if len(recordings) > 1 else (),
        account=spent,
        hidden=hidden,
    )


def _remarks(recordings: tuple[Recording, ...]) -> Iterator[str]:
    for recording in recordings:
        whose = f"process {recording.header.process}: " if len(recordings) > 1 else ""
        yield from (whose + remark for remark in recording.remarks)
    if any(recording.header.redacted for recording in recordings):
        yield REDACTED


def _by_cost(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    def cost(finding: Finding) -> tuple[float, tuple[str, int, int, int]]:
        return (-finding.observed.seconds if finding.observed else 0.0, finding.place)

    return tuple(sorted(dict.fromkeys(findings), key=cost))
