"""All selected rules on one module and on what it leads to."""

import fnmatch
from collections.abc import Callable, Iterator

from graphdoctor.config import Config
from graphdoctor.dryrun.recorder import record
from graphdoctor.errors import SourceError, TooLargeError
from graphdoctor.judging.files import UNPARSABLE
from graphdoctor.model import Finding
from graphdoctor.model.span import whole_line
from graphdoctor.recording import Recording
from graphdoctor.recording.format import DRY_RUN, WORDS, Definition, Header, Looked, Problem
from graphdoctor.rules.facts import Facts
from graphdoctor.rules.project.unused_noqa import UnusedNoqa
from graphdoctor.rules.registry import all_rules, find_rule, is_selected, selected_rules
from graphdoctor.rules.rule import Rule
from graphdoctor.source import Module, parse_module, read_source
from graphdoctor.source.depth import deep_calls
from graphdoctor.source.project import Project
from graphdoctor.source.sites import Sources
from graphdoctor.version import __version__


def open_project(config: Config, read: Callable[[str], str] = read_source) -> Project:
    """A project that reads the modules it needs."""
    return Project(read, lambda path, text: parse_module(path, text, config.keras))


Use = tuple[str, int, str]  # a path, a line with a silencing comment, and the rule that it silences there


def check_module(module: Module, config: Config) -> list[Finding]:
    """What the selected rules find in one module, and in what it calls, without what `# noqa` silences."""
    return examine(module, config)[0]


def examine(
    module: Module, config: Config, recording: Recording | None = None
) -> tuple[list[Finding], set[Use]]:
    """What is found, and which `# noqa` comments were needed; `recording` is that of its dry run."""
    with deep_calls():
        return _examine(module, config, recording or dry_run(module))


def _examine(module: Module, config: Config, recording: Recording) -> tuple[list[Finding], set[Use]]:
    selected = selected_rules(config.select, config.ignore, config.extend_select)
    findings: list[Finding] = []
    used: set[Use] = set()
    judges_comments = any(isinstance(rule, UnusedNoqa) for rule in selected)
    named = {code for *_, codes in module.noqa_comments for code in codes} if judges_comments else set()
    findings += [crash_finding(module.path, SourceError(problem)) for problem in recording.problems]
    facts = Facts([recording], Sources.of(module.project, module.path))
    happened = any(type(event) is not Looked for event in recording.events)  # else no rule has a word to say
    for rule in () if not happened else all_rules() if named else selected:
        if rule not in selected and rule.id not in named:
            continue
        module.project.go_on()
        for finding in findings_of(rule, facts, module.path):
            silenced = module.project.silencing_line(finding)
            if silenced is not None:
                used.add((*silenced, finding.rule))
            elif rule in selected and not is_ignored_in_file(finding, config):
                findings.append(finding)
    if judges_comments:
        findings += UnusedNoqa().check_comments(module, used, {rule.id for rule in all_rules()})
    return findings, used


def is_ignored_in_file(finding: Finding, config: Config) -> bool:
    """Whether the configuration ignores the rule in this file."""
    return any(
        bool(rules)
        and is_selected(finding.rule, rules, ())
        and (fnmatch.fnmatch(finding.path, pattern) or fnmatch.fnmatch(finding.path, f"*/{pattern}"))
        for pattern, rules in config.per_file_ignores.items()
    )


def dry_run(module: Module) -> Recording:
    """What a dry run of the module tells; nothing when the interpreter itself fails on it."""
    try:
        return record(module.project, module.path)
    except Exception as error:
        problem = Problem(message=f"the dry run failed on {module.path}: {type(error).__name__}: {error}")
        header = Header(recorder=DRY_RUN, program=(module.path,), sees=(WORDS[Problem],))
        return Recording(header=header, events=(problem,))


def not_run(path: str) -> Recording:
    """The recording of a file without anything to run, or that cannot be read: it saw no kind of event."""
    return Recording(header=Header(recorder=DRY_RUN, graphdoctor=__version__, program=(path,)))


def too_large(path: str, error: TooLargeError) -> Recording:
    """The recording of a file that Python's parser does not take: the coverage says that it is unknown."""
    looked = Looked(function=Definition(name="<module>", path=path, line=error.line), skipped=str(error))
    header = Header(recorder=DRY_RUN, graphdoctor=__version__, program=(path,), sees=(WORDS[Looked],))
    return Recording(header=header, events=(looked,))


def findings_of(rule: Rule, facts: Facts, path: str) -> Iterator[Finding]:
    """One rule's findings; a crash in it is reported for the file or program, the others go on."""
    return rule.findings(
        facts,
        lambda error: crash_finding(
            path, SourceError(f"{rule.id} failed on this file: {type(error).__name__}: {error}")
        ),
    )


def crash_finding(path: str, error: SourceError) -> Finding:
    """The finding that says why a file could not be checked."""
    rule = find_rule(UNPARSABLE)
    assert rule is not None
    return rule.finding(whole_line(path, error.line), str(error))
