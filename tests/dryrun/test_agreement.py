"""TensorFlow is the oracle: what the dry run reports of a program, a run of it reports too.

A third of the programs is run; all are with `GRAPHDOCTOR_AGREEMENT=all`. What the dry run says that it does
not know is counted, by kind, at the end of the tests.
"""

import os
import pathlib
from collections.abc import Callable, Iterator
from typing import NamedTuple

import pytest
from tests.dryrun.agreement import DIFFER, verdicts
from tests.running import TensorFlowServer

from graphdoctor.dryrun.recorder import record
from graphdoctor.recording import Recording
from graphdoctor.rules import all_rules
from graphdoctor.source import parse_module, read_source
from graphdoctor.source.project import Project

CASES = pathlib.Path(__file__).parents[1] / "cases"
SHARE = 1 if os.environ.get("GRAPHDOCTOR_AGREEMENT") == "all" else 3


class Program(NamedTuple):
    """A program to be run; `calls` as in a rule's example."""

    name: str
    text: str
    calls: bool = False


def programs() -> Iterator[Program]:
    """Every example of a rule, and every field case, bad and good."""
    for rule in all_rules():
        for number, example in enumerate(rule.examples, start=1):
            yield Program(f"{rule.id}-{number}-bad", example.bad, example.calls)
            yield Program(f"{rule.id}-{number}-good", example.good, example.calls)
    for path in sorted(CASES.glob("*/*.py")):
        yield Program(f"{path.parent.name}-{path.stem}", path.read_text(encoding="utf-8"))


# What the halves say otherwise, by program and kind, and why.
DIFFERENCES = {
    ("GD515-1-bad", "gradient"): "that a variable takes no part at all is only reported by a run",
    ("GD911-1-bad", "applied"): "which layers keep Keras from compiling is only reported by a run",
    ("GD407-1-bad", "trace"): "Keras makes a step, and then finds that it cannot run it in a graph",
    ("111_py_function_inner_numpy-program", "gradient"): "TensorFlow asks for a constant's, too",
    ("145_clean_unconnected_zero-program", "gradient"): "the same",
    (
        "GD206-1-bad",
        "effect",
    ): "a run reports that a file was opened and written, the dry run that it was opened",
}
CHOSEN = [
    pytest.param(program, id=program.name)
    for position, program in enumerate(programs())
    if position % SHARE == 0 or any(program.name == name for name, _ in DIFFERENCES)
]


def dry_run(text: str) -> Recording:
    """What the dry run of a program reports."""
    project = Project(read_source, lambda path, given: parse_module(path, given, 3))
    project.add(parse_module("program.py", text, 3))
    return record(project, "program.py")


@pytest.mark.tensorflow
@pytest.mark.parametrize("program", CHOSEN)
def test_the_dry_run_reports_what_a_run_reports(
    program: Program, oracle: TensorFlowServer, record_property: Callable[[str, object], None]
) -> None:
    ran = oracle.run_once(program.text, calls=program.calls)
    found = list(verdicts(dry_run(program.text), ran.recording))
    record_property("agreement", [(verdict.kind, verdict.outcome) for verdict in found])
    different = [verdict for verdict in found if verdict.outcome == DIFFER]
    listed = {kind for name, kind in DIFFERENCES if name == program.name}
    assert [verdict for verdict in different if verdict.kind not in listed] == []
    assert listed == {verdict.kind for verdict in different}  # what agrees now is no longer listed


def test_every_listed_difference_is_of_a_program() -> None:
    assert {name for name, _ in DIFFERENCES} <= {program.name for program in programs()}
