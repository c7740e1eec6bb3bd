"""Recordings → findings: every rule reads the joined facts, and what is silenced is left out."""

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from graphdoctor.config import Config
from graphdoctor.judging.modules import findings_of
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
    """What the selected rules find in recordings of static and runtime analysis, each once."""
    return judge_facts(Facts(recordings, sources, selection), config)


def judge_facts(facts: Facts, config: Config) -> list[Finding]:
    """What the selected rules find in facts that are already joined."""
    found: dict[object, Finding] = {}
    for finding in _all_findings(facts, config):
        once = (finding.rule, finding.place, finding.message)  # several processes say the same
        if once not in found and not is_silenced(finding, facts.sources, config):
            found[once] = finding
    return list(found.values())


def _all_findings(facts: Facts, config: Config) -> Iterator[Finding]:
    for rule in selected_rules(config.select, config.ignore, config.extend_select):
        for finding in findings_of(rule, facts, _program(facts)):
            yield finding if finding.known_grounds else replace(finding, evidence=Evidence.RUN)


def _program(facts: Facts) -> str:
    """What ran, or was to run."""
    programs = (word for one in facts.recordings for word in one.header.program)
    return next((word for word in programs if word.endswith((".py", ".ipynb"))), "<program>")
