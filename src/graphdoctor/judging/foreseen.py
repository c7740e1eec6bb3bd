"""What the source shows of the code that a run traced, joined with what the run showed.

This is the old half: patterns over syntax. It goes, rule by rule, as the dry run takes over.
"""

from collections.abc import Iterable, Iterator, Sequence

from graphdoctor.config import Config
from graphdoctor.judging.confirmation import confirm
from graphdoctor.judging.counting import with_counts
from graphdoctor.judging.door import judge_facts
from graphdoctor.judging.matching import merge, told_once
from graphdoctor.judging.modules import check_module, dry_run
from graphdoctor.judging.traced_code import TracedCode, check_traced_code, checks_syntax, has_its_own_check
from graphdoctor.model import Evidence, Finding
from graphdoctor.recording import Recording, Selection
from graphdoctor.recording.format import WORDS, Gradient
from graphdoctor.rules.facts import Facts
from graphdoctor.rules.registry import find_rule
from graphdoctor.source.sites import Sources


def judge_both_halves(
    runs: Sequence[Recording], sources: Sources, config: Config, selection: Selection
) -> tuple[Facts, list[Finding]]:
    """What was seen, and all that is found: each rule reads the run, or the run joined with the dry run."""
    seen = Facts(runs, sources, selection)
    traced = TracedCode(seen.histories, sources)
    joined = seen.joined_with(list(_dry_runs(traced.paths | _asked_in(seen), sources)))
    findings = judge_facts(seen, config, checks_syntax)
    findings += [
        finding
        for finding in judge_facts(joined, config, lambda rule: not checks_syntax(rule))
        if finding.evidence is not Evidence.SOURCE or traced.covers(finding)
    ]
    return seen, told_once(with_source(findings, seen, config, selection))


def _asked_in(facts: Facts) -> set[str]:
    """The files in which a gradient was asked for, traced or not."""
    return {event.place.path for event in facts.of(Gradient) if event.place is not None}


def _dry_runs(paths: Iterable[str], sources: Sources) -> Iterator[Recording]:
    """What the dry run tells of the files that the run went through."""
    for path in sorted(paths):
        module = sources.module(path)
        if module is not None:
            yield dry_run(module)


def with_source(observed: list[Finding], facts: Facts, config: Config, selection: Selection) -> list[Finding]:
    """The findings of a run, with those of the source where the run went; what it settled is left out."""
    from_source = [
        f for f in check_traced_code(facts.histories, facts.sources, config) if selection.covers(f.path)
    ]
    from_source += _check_where(observed, from_source, facts, config)
    counted = [with_counts(finding, facts) for finding in from_source]
    joined = confirm(merge(counted, observed), facts, config)
    return [finding for finding in joined if not _is_settled(finding, facts)]


def _check_where(
    observed: list[Finding], known: list[Finding], facts: Facts, config: Config
) -> Iterator[Finding]:
    """What the source shows at the very places of what was observed outside traced functions."""
    places = {(finding.rule, finding.path, finding.line) for finding in observed}
    outside = {finding.path for finding in observed if finding.function is None}
    for path in sorted(outside):
        module = facts.sources.module(path)
        for finding in filter(has_its_own_check, check_module(module, config) if module else ()):
            if (finding.rule, finding.path, finding.line) in places and finding not in known:
                yield finding


def _is_settled(finding: Finding, facts: Facts) -> bool:
    """Whether a run could have shown what only the source says, and did not."""
    rule = find_rule(finding.rule)
    if finding.evidence is not Evidence.SOURCE or rule is None or not rule.settled_by:
        return False
    seen = {word for recording in facts.recordings for word in recording.header.sees}
    return all(WORDS[kind] in seen for kind in rule.settled_by)
