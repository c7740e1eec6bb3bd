"""Fixes whose edited program stands the same check: the others keep their order, and lose their edits."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType

from msgspec.structs import replace

from graphdoctor.config import Config
from graphdoctor.errors import EditError, SourceError
from graphdoctor.judging.common_fixes import WORST_FIRST
from graphdoctor.judging.modules import check_module, open_project
from graphdoctor.model import Edit, Finding, Fix, Safety, Severity, apply_edits
from graphdoctor.model.edit import edits_between
from graphdoctor.model.style import Style
from graphdoctor.source import Module, parse_module
from graphdoctor.source.project import Project

MOST_ROUNDS = 4
Claim = tuple[str, str, str]  # a rule, the file, and what the line says
Chosen = Sequence[tuple[Finding, Fix]]


def rechecked(module: Module, findings: list[Finding], config: Config) -> list[Finding]:
    """What was found in a module, with those edits alone after which it is gone and nothing else has come.

    All rules judge an edited program, also those that were not asked for.
    """
    if not any(finding.fixes for finding in findings):
        return findings
    whole = replace(config, select=(), extend_select=(), ignore=(), per_file_ignores={})
    before = findings if whole == config else check_module(module, whole)
    return _Recheck(module, before, whole).offered(findings)


class _Recheck:
    """The check of one module, before and after edits of it and of what it imports."""

    def __init__(self, module: Module, before: list[Finding], config: Config) -> None:
        self._module, self._project, self._config = module, module.project, config
        self._before = _claims(before, self._project)
        self._loud = _claims((one for one in before if one.is_shown), self._project)
        self._styles: dict[str, Style] = {}
        self._lines = {line.strip() for each in self._project.modules for line in each.lines}

    def offered(self, findings: list[Finding]) -> list[Finding]:
        """Each with the fixes that stand the check: all at once, where that is well, else one by one."""
        findings = [self._styled(finding) for finding in findings]
        kept: list[dict[int, Fix]] = [{} for _ in findings]
        for rank in range(max(len(finding.fixes) for finding in findings)):
            chosen = [(one, one.fixes[rank]) for one in findings if len(one.fixes) > rank]
            all_stand = len(chosen) > 1 and self._stand(chosen)
            for finding, fixes in zip(findings, kept, strict=True):
                if len(finding.fixes) > rank:
                    fix = finding.fixes[rank]
                    whole = fix if all_stand else self._whole(finding, fix)
                    if whole is not None:
                        fixes[rank] = whole
        return [_with(finding, fixes) for finding, fixes in zip(findings, kept, strict=True)]

    def _styled(self, finding: Finding) -> Finding:
        """The finding with edits in the style of the files that they change."""
        alternatives = tuple(map(self._in_style, finding.alternatives))
        return replace(finding, fix=finding.fix and self._in_style(finding.fix), alternatives=alternatives)

    def _in_style(self, fix: Fix) -> Fix:
        return replace(fix, edits=tuple(self._style(edit.path).of(edit) for edit in fix.edits))

    def _style(self, path: str) -> Style:
        if path not in self._styles:
            self._styles[path] = Style(self._text(path))
        return self._styles[path]

    def _stand(self, chosen: Chosen) -> bool:
        """Whether with these edits those findings are gone, and no other has come."""
        try:
            return not self._judged(chosen, self._edited(fix for _, fix in chosen))
        except (EditError, SourceError):
            return False

    def _whole(self, finding: Finding, fix: Fix) -> Fix | None:
        """The fix, with those of what it brings about; None where something is left, or has come."""
        safety, texts = fix.safety, dict[str, str]()
        new = fix
        try:
            for _ in range(MOST_ROUNDS):
                texts = self._edited([new], texts)
                blamed = self._judged([(finding, fix)], texts)
                if not blamed:
                    return (
                        fix if new is fix else Fix(title=fix.title, safety=safety, edits=self._changes(texts))
                    )
                nexts = [one.fixes[0] for one in blamed if one.fixes]
                if len(nexts) < len(blamed) or self._module.cells:
                    return None
                edits = tuple(edit for each in nexts for edit in each.edits)
                safety = min((safety, *(each.safety for each in nexts)), key=WORST_FIRST.index)
                new = Fix(title=fix.title, safety=safety, edits=edits)
        except (EditError, SourceError):
            pass
        return None

    def _judged(self, chosen: Chosen, texts: Mapping[str, str]) -> list[Finding]:
        """What has come with these texts, and what is left as it was."""
        project = open_project(self._config, lambda path: texts[path] if path in texts else self._text(path))
        path = self._module.path
        text = texts[path] if path in texts else self._text(path)
        cells = self._module.cells if path == self._module.path else None  # of a notebook that is not saved
        module = parse_module(path, text, self._config.keras, cells)
        module.cells = ()  # lines count from the top of the text here: cells are where they were before
        project.add(module)
        after = check_module(module, self._config)
        self._project.consulted |= project.dependencies()
        return [*self._remain(chosen, after, project), *self._came(chosen, after, project)]

    def _edited(
        self, fixes: Iterable[Fix], texts: Mapping[str, str] = MappingProxyType({})
    ) -> dict[str, str]:
        """The texts with more edits; those of the first ones count lines as the project does."""
        by_path: dict[str, list[Edit]] = {}
        for edit in (edit for fix in fixes for edit in fix.edits):
            by_path.setdefault(edit.path, []).append(edit if edit.path in texts else self._in_text(edit))
        now = {path: texts[path] if path in texts else self._text(path) for path in by_path}
        return {**texts, **{path: apply_edits(now[path], some) for path, some in by_path.items()}}

    def _changes(self, texts: Mapping[str, str]) -> tuple[Edit, ...]:
        """The edits of whole lines that make these texts."""
        return tuple(
            edit for path, text in texts.items() for edit in edits_between(path, self._text(path), text)
        )

    def _text(self, path: str) -> str:
        module = self._project.known(path)
        text = module.text if module is not None else self._project.text(path)
        if text is None:
            raise SourceError(f"{path} cannot be read")
        return text

    def _in_text(self, edit: Edit) -> Edit:
        """An edit of a notebook's cell, by the lines of the whole text."""
        module = self._project.known(edit.path)
        down = module.text_line(edit) - edit.line if module is not None else 0
        return replace(edit, line=edit.line + down, end_line=edit.end_line + down, cell=None)

    def _remain(self, chosen: Chosen, after: list[Finding], project: Project) -> list[Finding]:
        """What is found as often as before."""
        now = _claims(after, project)
        wanted = _claims((finding for finding, _ in chosen), self._project)
        left = {claim for claim, number in wanted.items() if now[claim] > self._before[claim] - number}
        return [one for one in after if _claim(one, project) in left]

    def _came(self, chosen: Chosen, after: list[Finding], project: Project) -> list[Finding]:
        """What rules that have more to say now find on lines of which they said nothing.

        On lines that are as they were, the next place of the same mistake, and what a program does that
        went on where it raised before, are no fault of the edit.
        """
        loud = [(one, _claim(one, project)) for one in after if one.is_shown]
        revealed = {finding.rule for finding, _ in chosen}
        died = any(finding.severity is Severity.ERROR for finding, _ in chosen)
        was = Counter(rule for rule, *_ in self._loud.elements())
        was.subtract(finding.rule for finding, _ in chosen if finding.is_shown)
        now = Counter(one.rule for one, _ in loud)
        return [
            one
            for one, claim in loud
            if now[one.rule] > was[one.rule]
            and claim not in self._loud
            and not (claim[2] in self._lines and (died or one.rule in revealed))
        ]


def _claims(findings: Iterable[Finding], project: Project) -> Counter[Claim]:
    """How often each rule speaks of each line."""
    return Counter(_claim(one, project) for one in findings)


def _claim(finding: Finding, project: Project) -> Claim:
    module = project.known(finding.path)
    line = module.text_line(finding) if module is not None else 0
    known = module is not None and 0 < line <= len(module.lines)
    return finding.rule, finding.path, module.lines[line - 1].strip() if module is not None and known else ""


def _with(finding: Finding, kept: Mapping[int, Fix]) -> Finding:
    """The finding with the fixes that are kept, by rank; without the preferred one its order is left."""
    ranks = {id(fix): rank for rank, fix in enumerate(finding.fixes)}
    first = finding.fix
    if first is not None and first.edits:
        first = kept.get(ranks[id(first)], replace(first, edits=(), safety=Safety.MANUAL))
    others = (kept.get(ranks[id(fix)]) if fix.edits else fix for fix in finding.alternatives)
    return replace(finding, fix=first, alternatives=tuple(fix for fix in others if fix is not None))
