"""Recordings → findings: every rule reads the joined facts, and what is silenced is left out."""

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from graphdoctor.config import Config
from graphdoctor.judging.severity import weighed
from graphdoctor.judging.suppression import is_silenced
from graphdoctor.model import Evidence, Finding
from graphdoctor.recording import Recording, Selection
from graphdoctor.rules.facts import Facts
from graphdoctor.rules.registry import selected_rules
from graphdoctor.source.sites import Sources


def judge(
    recordings: Sequence[Recording],
    sources: Sources,
    config: Config,
    selection: Selection | None = None,
) -> list[Finding]:
    """What the selected rules find in recordings of either half, each matter once."""
    return judge_facts(Facts(recordings, sources, selection), config)


def judge_facts(facts: Facts, config: Config) -> list[Finding]:
    """What the selected rules find in facts that are already joined."""
    found: dict[object, Finding] = {}
    for finding in _all_findings(facts, config):
        once = (finding.rule, finding.place, finding.message)  # several processes say the same
        if once not in found and not is_silenced(finding, facts.sources, config):
            found[once] = weighed(finding)
    return list(found.values())


def _all_findings(facts: Facts, config: Config) -> Iterator[Finding]:
    for rule in selected_rules(config.select, config.ignore, config.extend_select):
        for finding in rule.judge(facts):
            yield finding if finding.certainty else replace(finding, evidence=Evidence.RUN)
