"""What tests and scripts use to score graphdoctor on the field cases of tests/cases."""

import functools
import pathlib
from collections.abc import Iterable

import msgspec

from graphdoctor.config import Config
from graphdoctor.judging import check_paths
from graphdoctor.model import Finding

FOLDER = pathlib.Path(__file__).parent / "cases"
CLEAN = "clean"
NEW_OBJECT = "retrace_new_keras_object"  # no argument is at fault, but what makes the model
NEAR_LINES = 3


class Expected(msgspec.Struct, frozen=True):
    """What a run of the program was measured to do."""

    argument: str | list[str] | None = None

    @property
    def arguments(self) -> list[str]:
        """The arguments at fault."""
        return [self.argument] if isinstance(self.argument, str) else self.argument or []


class Truth(msgspec.Struct, frozen=True):
    """What is wrong with a program, and where."""

    kind: str = msgspec.field(name="class")
    static_detectable: bool
    runtime_detectable: bool
    line: list[int] = []
    also_acceptable: list[int] = []
    function_spans: list[tuple[int, int]] = []
    call_lines: list[int] = []
    expected_runtime: Expected = Expected()


class Answer(msgspec.Struct, frozen=True):
    """Which rules answer a class of problems, by the beginnings of their ids."""

    rules: list[str]
    note_will_do: bool = False
    mild: bool = False


class Case(msgspec.Struct, frozen=True):
    """One program with the truth about it."""

    folder: pathlib.Path
    truth: Truth

    @property
    def name(self) -> str:
        """Its number and slug."""
        return self.folder.name

    @property
    def program(self) -> pathlib.Path:
        """The program as it was written."""
        return self.folder / "program.py"

    @property
    def fixed(self) -> pathlib.Path:
        """The program fixed; clean programs have none."""
        return self.folder / "fixed.py"

    @property
    def is_clean(self) -> bool:
        """Whether nothing is wrong with it."""
        return self.truth.kind == CLEAN

    @property
    def answer(self) -> Answer:
        """What counts as an answer to it."""
        return answers()[self.truth.kind]

    def hits(self, findings: Iterable[Finding]) -> list[Finding]:
        """The findings that name what is wrong, at a good place."""
        heard = list(findings) if self.answer.note_will_do else loud(findings)
        accepted = tuple(self.answer.rules)
        return [f for f in heard if f.rule.startswith(accepted) and is_near(f, self.truth)]

    def names_argument(self, hits: Iterable[Finding]) -> bool | None:
        """Whether a hit names the argument at fault; None where no argument is: only retraces have one."""
        names = self.truth.expected_runtime.arguments
        if not names or not self.truth.kind.startswith("retrace_") or self.truth.kind == NEW_OBJECT:
            return None
        return any(path.startswith(name) for hit in hits for path in _blamed(hit) for name in names)


def _blamed(finding: Finding) -> set[str]:
    """The arguments, or parts of one, that a finding is about."""
    differences = finding.observed.differences if finding.observed else ()
    return {path for path in (finding.argument, *(d.argument for d in differences)) if path}


@functools.cache
def answers() -> dict[str, Answer]:
    """The accepted rules of each class."""
    return msgspec.json.decode((FOLDER / "classes.json").read_bytes(), type=dict[str, Answer])


@functools.cache
def all_cases() -> tuple[Case, ...]:
    """Every field case, in order."""
    return tuple(
        Case(path.parent, msgspec.json.decode(path.read_bytes(), type=Truth))
        for path in sorted(FOLDER.glob("*/truth.json"))
    )


def is_near(finding: Finding, truth: Truth) -> bool:
    """Whether a finding points at a root cause, into the function, or at one of its calls."""
    for wanted in (*truth.line, *truth.also_acceptable):
        if abs(finding.line - wanted) <= NEAR_LINES or finding.line <= wanted <= finding.end_line:
            return True
    inside = any(first <= finding.line <= last for first, last in truth.function_spans)
    return inside or finding.line in truth.call_lines


def loud(findings: Iterable[Finding]) -> list[Finding]:
    """The findings above NOTE."""
    return [finding for finding in findings if finding.is_shown]


def check_program(program: pathlib.Path) -> list[Finding]:
    """What `check` says of a program; Keras 3 is what the truths were measured with."""
    return list(check_paths([str(program)], Config(keras=3)).findings)
