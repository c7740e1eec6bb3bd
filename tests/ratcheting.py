"""What is found today and may only grow: measured, compared with what is kept, and kept."""

import pathlib
from collections.abc import Iterable

import msgspec

from graphdoctor.config import Config
from graphdoctor.judging import check_text
from graphdoctor.model import Finding
from graphdoctor.rules import Example, Rule, all_rules
from tests.scoring import Case, all_cases, check_program, loud

FOLDER = pathlib.Path(__file__).parent / "ratchet"


class Record(msgspec.Struct):
    """What one half of graphdoctor finds.

    `hits` are the field cases that it answers, `named` those where it names the argument at fault,
    `examples` the bad examples that their own rule finds; `alarms` are rule and line of what it says
    above NOTE of programs that are right.
    """

    hits: list[str] = []
    named: list[str] = []
    examples: list[str] = []
    alarms: dict[str, list[str]] = {}

    def losses(self, now: "Record") -> list[str]:
        """What was found and is not found now, and which alarms are new; in words."""
        lost = [
            f"{what} lost: {name}"
            for what, before, after in (
                ("hit", self.hits, now.hits),
                ("argument's name", self.named, now.named),
                ("example", self.examples, now.examples),
            )
            for name in sorted(set(before) - set(after))
        ]
        new = [
            f"new alarm: {program} {alarm}"
            for program, alarms in sorted(now.alarms.items())
            for alarm in sorted(set(alarms) - set(self.alarms.get(program, [])))
        ]
        return lost + new

    def raised(self, now: "Record", measured: Iterable[str]) -> "Record":
        """This record with all that is better now; of the `measured` programs, alarms that have ended go."""
        seen = set(measured)
        alarms = {
            program: sorted(set(old) & set(now.alarms.get(program, []))) if program in seen else old
            for program, old in self.alarms.items()
        }
        return Record(
            hits=sorted({*self.hits, *now.hits}),
            named=sorted({*self.named, *now.named}),
            examples=sorted({*self.examples, *now.examples}),
            alarms={program: left for program, left in sorted(alarms.items()) if left},
        )

    def only(self, names: Iterable[str]) -> "Record":
        """The part of this record that is about these cases, examples and programs."""
        wanted = set(names)
        return Record(
            hits=[name for name in self.hits if name in wanted],
            named=[name for name in self.named if name in wanted],
            examples=[name for name in self.examples if name in wanted],
            alarms={program: alarms for program, alarms in self.alarms.items() if program in wanted},
        )


def read_record(half: str) -> Record:
    """What is kept of `check` or `run`."""
    return msgspec.json.decode((FOLDER / f"{half}.json").read_bytes(), type=Record)


def write_record(half: str, record: Record) -> None:
    """Keep it."""
    text = msgspec.json.format(msgspec.json.encode(record), indent=1)
    (FOLDER / f"{half}.json").write_bytes(text + b"\n")


def note_case(record: Record, case: Case, findings: list[Finding], *, from_run: bool) -> None:
    """Write into a record what was found in a case's program."""
    here = [finding for finding in findings if pathlib.Path(finding.path).name == "program.py"]
    if case.is_clean:
        note_alarms(record, f"{case.name}/program", here)
        return
    shown = case.truth.runtime_detectable if from_run else case.truth.static_detectable
    hits = case.hits(here)
    if shown and hits:
        record.hits.append(case.name)
        if case.names_argument(hits):
            record.named.append(case.name)


def note_alarms(record: Record, program: str, findings: Iterable[Finding]) -> None:
    """Write into a record what is said of a program that is right."""
    alarms = sorted({f"{finding.rule}:{finding.line}" for finding in loud(findings)})
    if alarms:
        record.alarms[program] = alarms


def names_of(case: Case) -> list[str]:
    """What a record calls a case and its programs."""
    return [case.name, f"{case.name}/program", f"{case.name}/fixed"]


def all_examples() -> list[tuple[str, Rule, Example]]:
    """Every example of every rule, with its name."""
    return [
        (f"{rule.id}-{number}", rule, example)
        for rule in all_rules()
        for number, example in enumerate(rule.examples, start=1)
    ]


def measure_check() -> Record:
    """What `check` finds in all field cases and all examples."""
    record = Record()
    for case in all_cases():
        note_case(record, case, check_program(case.program), from_run=False)
        if case.fixed.exists():
            note_alarms(record, f"{case.name}/fixed", check_program(case.fixed))
    for name, rule, example in all_examples():
        found = check_text("example.py", example.bad, Config()).findings
        if rule.id in {finding.rule for finding in found}:
            record.examples.append(name)
        note_alarms(record, f"{name}/good", check_text("example.py", example.good, Config()).findings)
    return record


def score(record: Record, *, from_run: bool) -> tuple[list[str], list[str]]:
    """The cases that count, hit and missed; mild ones do not."""
    counted = [
        case.name
        for case in all_cases()
        if not case.is_clean
        and not case.answer.mild
        and (case.truth.runtime_detectable if from_run else case.truth.static_detectable)
    ]
    return [name for name in counted if name in record.hits], [n for n in counted if n not in record.hits]
