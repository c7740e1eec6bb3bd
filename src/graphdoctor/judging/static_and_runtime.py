"""A run and the dry runs of the files that it went through, judged together."""

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec.structs import replace

from graphdoctor.config import Config
from graphdoctor.judging.confirmation import confirm
from graphdoctor.judging.matching import reported_once
from graphdoctor.judging.modules import dry_run
from graphdoctor.judging.pipeline import judge_facts
from graphdoctor.judging.traced_code import TracedCode
from graphdoctor.model import Account, Called, Evidence, Finding
from graphdoctor.model.paths import relative_path
from graphdoctor.model.words import count
from graphdoctor.recording import Recording, Selection
from graphdoctor.recording.accounting import account
from graphdoctor.recording.format import ASSUMED, SHOWN, WORDS, Failure, Gradient
from graphdoctor.rules.facts import Facts
from graphdoctor.rules.registry import find_rule
from graphdoctor.source.sites import Sources


def judge_both_halves(
    runs: Sequence[Recording], sources: Sources, config: Config, selection: Selection
) -> tuple[Facts, list[Finding], Account]:
    """What is known of the run joined with the dry runs, what is found in it, and where the seconds went.

    What the run settled is left out.
    """
    seen = Facts(runs, sources, selection)
    traced = TracedCode(seen.histories, sources)
    paths = traced.paths | _met_in(seen) | _called_from(seen) | programs(runs)
    joined = seen.joined_with(list(_dry_runs(paths, sources)))
    found = judge_facts(joined, config)
    reported = [
        _as_traced(finding) if finding.evidence is Evidence.SOURCE else finding
        for finding in found
        if finding.evidence is not Evidence.SOURCE or traced.covers(finding)
    ]
    borne_out = confirm(reported, found, seen)
    findings = reported_once([f for f in borne_out if not _is_settled(f, seen)], sources, found)
    traces = [trace for recording in seen.recordings for trace in recording.traces]
    reported_of = {number for f in findings if f.observed for number in f.observed.explains}
    spent = account(traces, seen.histories, joined.explained | reported_of)
    tests = {trace.number: trace.during for trace in traces if trace.during}
    return joined, [_with_tests(finding, tests) for finding in findings], spent


def _as_traced(finding: Finding) -> Finding:
    """The prediction for code that a run traced: nothing about its caller or tracing is open any more."""
    grounds = finding.known_grounds
    if grounds is None:
        return finding
    return finding.on(
        replace(grounds, traced=SHOWN if grounds.traced == ASSUMED else grounds.traced, called=Called.RUN)
    )


def _with_tests(finding: Finding, tests: Mapping[int, str]) -> Finding:
    """The finding, with the test that traced."""
    numbers = finding.observed.explains if finding.observed else ()
    during = list(dict.fromkeys(tests[number] for number in numbers if number in tests))
    if not during:
        return finding
    more = f" and {count(len(during) - 1, 'other test')}" if len(during) > 1 else ""
    return replace(finding, message=f"{finding.message} (in `{during[0]}`{more})")


def _met_in(facts: Facts) -> set[str]:
    """The files in which something failed or a gradient was asked for, traced or not, and who led there."""
    events = (*facts.of(Gradient), *facts.of(Failure))
    return {frame.place.path for event in events for frame in event.chain if frame.place is not None}


def _called_from(facts: Facts) -> set[str]:
    """The files whose code called what was traced: they show what becomes of the state that it changes."""
    chains = (trace.chain for recording in facts.recordings for trace in recording.traces)
    return {frame.place.path for chain in chains for frame in chain if frame.place is not None}


def programs(runs: Iterable[Recording]) -> set[str]:
    """The files that were run: they show what the objects are made of that traced code works on."""
    found: set[str] = set()
    for header in (run.header for run in runs):
        words = header.program[1:3]
        if words[:1] == ("-m",):
            inner = words[-1].replace(".", os.sep)
            found |= {f"{inner}.py", os.path.join(inner, "__main__.py")}
        elif words and words[0].endswith(".py"):
            found.add(relative_path(words[0], header.directory))
    return found


def _dry_runs(paths: Iterable[str], sources: Sources) -> Iterator[Recording]:
    """What the dry run tells of the files that the run went through; masked, they are another program."""
    if sources.masked:
        return
    for path in sorted(paths):
        module = sources.module(path)
        if module is not None:
            yield dry_run(module)


def _is_settled(finding: Finding, facts: Facts) -> bool:
    """Whether a run could have shown what only the source says, and did not."""
    rule = find_rule(finding.rule)
    if finding.evidence is not Evidence.SOURCE or rule is None or not rule.settled_by:
        return False
    seen = {word for recording in facts.recordings for word in recording.header.sees}
    return all(WORDS[kind] in seen for kind in rule.settled_by)
