"""Apply the fixes of a file until nothing is left to fix."""

import dataclasses
import difflib
import io
import os
from collections.abc import Iterable, Mapping

from graphdoctor.config import Config
from graphdoctor.errors import EditError, SourceError
from graphdoctor.fixing.writing import replace_files
from graphdoctor.judging import check_module, open_project
from graphdoctor.judging.recheck import rechecked
from graphdoctor.model import Edit, Finding, Safety, apply_edits
from graphdoctor.source import find_files, parse_module, read_notebook_or_source
from graphdoctor.source.files import is_program, may_use_tensorflow, read_bytes
from graphdoctor.source.project import MOST_TEXT

MOST_ROUNDS = 20
QUOTED = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t"}


@dataclasses.dataclass(frozen=True)
class Outcome:
    """How many fixes were applied, in how many files, and the change as a diff."""

    applied: int
    files: int
    diff: str


def fix_paths(paths: Iterable[str], config: Config, *, unsafe: bool, write: bool) -> Outcome:
    """Fix every file below the paths; with `write=False` only show what would change.

    All files are checked together, round after round: a helper may need a fix because another file calls it.
    """
    files = [path for path, named in find_files(paths, config.exclude) if _can_read(path, named)]
    contents = {path: read_bytes(path) for path in files}
    before = {path: read_notebook_or_source(path) for path in files}
    texts = dict(before)
    checked = [path for path in files if _may_trace(contents[path])]
    applied = 0
    for _ in range(MOST_ROUNDS):
        chosen = _choose(texts, checked, config, unsafe)
        if not chosen:
            break
        texts = edited(texts, [edit for finding in chosen for edit in edits_of(finding)])
        applied += len(chosen)
    changed = [path for path in files if texts[path] != before[path]]
    if write:
        replace_files({path: (contents[path], texts[path]) for path in changed})
    diff = "".join(diff_of(path, before[path], texts[path]) for path in changed)
    return Outcome(applied, len(changed), diff)


def _can_read(path: str, named_by_user: bool) -> bool:
    """Whether a file is Python that may be edited; notebooks are not.

    Traced code may also run a helper that does not import TensorFlow. A file that the user named and that
    cannot be read is an error.
    """
    concerns_us = True
    try:
        if path.endswith(".ipynb") or (os.path.islink(path) and not named_by_user):
            return False
        concerns_us = _may_trace(read_bytes(path))
        text = read_notebook_or_source(path)
        if concerns_us:
            parse_module(path, text)
        return True
    except SourceError:
        if named_by_user and concerns_us:
            raise
        return False


def _may_trace(content: bytes) -> bool:
    """Whether a file may trace something; a program does through what it imports."""
    return may_use_tensorflow(content) or is_program(content)


def _choose(texts: dict[str, str], checked: Iterable[str], config: Config, unsafe: bool) -> list[Finding]:
    """The findings to fix in this round."""

    def read(path: str) -> str:
        return texts[path] if path in texts else read_notebook_or_source(path)

    project = open_project(config, read)
    if sum(map(len, texts.values())) < MOST_TEXT:
        for path in texts:
            project.module(path)  # a fix may have to edit several of these files
    found: dict[tuple[object, ...], Finding] = {}
    for path in sorted(checked):
        module = parse_module(path, texts[path], config.keras)
        project.add(module)
        for finding in rechecked(module, check_module(module, config), config):
            if finding.path in texts and may_apply(finding, unsafe):
                key = (finding.rule, finding.place)
                found[key] = max(found.get(key, finding), finding, key=_spread)
        project.forget_if_large()
    return compatible(texts, list(found.values()))


def _spread(finding: Finding) -> int:
    """In how many files it is edited: with more of the project known, a fix includes the callers."""
    return len({edit.path for edit in edits_of(finding)})


def fix_text(path: str, text: str, config: Config, *, unsafe: bool) -> tuple[str, int]:
    """The text with its fixes applied, one round after the other, and how many were applied."""
    applied = 0
    for _ in range(MOST_ROUNDS):
        module = parse_module(path, text, config.keras)
        findings = rechecked(module, check_module(module, config), config)
        chosen = compatible({path: text}, [f for f in findings if may_apply(f, unsafe)])
        if not chosen:
            break
        text = apply_edits(text, [edit for finding in chosen for edit in edits_of(finding)])
        applied += len(chosen)
    return text, applied


def may_apply(finding: Finding, unsafe: bool) -> bool:
    """Whether its fix is one that was asked for."""
    if finding.fix is None or not finding.fix.edits:
        return False
    return finding.fix.safety is Safety.SAFE or (unsafe and finding.fix.safety is Safety.UNSAFE)


def edits_of(finding: Finding) -> tuple[Edit, ...]:
    """The changes that its fix makes."""
    return finding.fix.edits if finding.fix else ()


def compatible(texts: Mapping[str, str], findings: Iterable[Finding]) -> list[Finding]:
    """As many findings as can be fixed at once; those whose edits would collide wait for the next round."""
    chosen: list[Finding] = []
    for finding in findings:
        try:
            edited(texts, [edit for other in (*chosen, finding) for edit in edits_of(other)])
        except EditError:
            continue
        chosen.append(finding)
    return chosen


def edited(texts: Mapping[str, str], edits: Iterable[Edit]) -> dict[str, str]:
    """The texts by path, with the edits of each; EditError when one is of a file that is not among them."""
    by_path: dict[str, list[Edit]] = {}
    for edit in edits:
        by_path.setdefault(edit.path, []).append(edit)
    unknown = next((path for path in by_path if path not in texts), None)
    if unknown is not None:
        raise EditError(f"{unknown} is to be edited, too, and is not among the files")
    return {**texts, **{path: apply_edits(texts[path], some) for path, some in by_path.items()}}


def _named(side: str, path: str) -> str:
    """The name of a file as git writes it: in quotes where a terminal would not show it as it is."""
    name = f"{side}/{path}"
    if name.isprintable() and '"' not in name and "\\" not in name:
        return name
    escaped = (QUOTED.get(c, c if c.isprintable() else _octal(c)) for c in name)
    return f'"{"".join(escaped)}"'


def _octal(character: str) -> str:
    return "".join(f"\\{byte:03o}" for byte in character.encode("utf-8", "surrogateescape"))


def diff_of(path: str, before: str, after: str) -> str:
    """The change of one file as a unified diff for `git apply`: only a line feed ends a line."""
    was, now = (io.StringIO(text, newline="\n").readlines() for text in (before, after))
    lines = difflib.unified_diff(was, now, _named("a", path), _named("b", path))
    return "".join(
        line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines
    )
