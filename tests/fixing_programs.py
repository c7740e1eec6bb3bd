"""What tests and benchmarks use to fix programs with one TensorFlow for all of them."""

import contextlib
import itertools
import pathlib
import tempfile
from collections.abc import Callable, Iterator
from typing import Any

from graphdoctor.config import Config
from graphdoctor.fixing.candidates import Choice, reported_fix
from graphdoctor.fixing.copies import Place
from graphdoctor.fixing.proof import Attempt, Judge, repair_of
from graphdoctor.fixing.search import Search
from graphdoctor.fixing.trials import Ended, Laboratory
from graphdoctor.model import Finding, Fix, Safety
from graphdoctor.rules.repair import Eagerly
from tests.running import TIME_LIMIT, TensorFlowServer


class ForkingRunner:
    """Runs each program in a fork of one process that has TensorFlow."""

    def __init__(self, server: TensorFlowServer, directory: pathlib.Path) -> None:
        self._server = server
        self._directory = directory
        self._numbers = itertools.count(1)

    def __call__(self, command: list[str], directory: str, settings: dict[str, Any]) -> Ended:
        folder = self._directory / f"fork{next(self._numbers)}"
        folder.mkdir()
        program, *arguments = command
        answer = self._server.ask(
            {
                "program": str(pathlib.Path(directory, program)),
                "arguments": arguments,
                "directory": directory,
                "output": str(folder / "output.txt"),
                "errors": str(folder / "errors.txt"),
                "error": str(folder / "error.txt"),
                "timeout": str(TIME_LIMIT),
                "settings": settings,
            }
        )
        # As bytes: a carriage return stays one.
        files = [folder / name for name in ("output.txt", "errors.txt")]
        texts = [file.read_bytes().decode(errors="replace") for file in files]
        return Ended(answer["status"], *texts, "time limit" if answer["timed_out"] else "")


@contextlib.contextmanager
def open_laboratory(folder: pathlib.Path, name: str, server: TensorFlowServer) -> Iterator[Laboratory]:
    """Where a program can be run, whose folder holds all that belongs to it."""
    with tempfile.TemporaryDirectory() as directory:
        place = Place(str(folder), str(folder), (name,), name)
        yield Laboratory(place, ForkingRunner(server, pathlib.Path(directory)), Config(keras=3), directory)


def search_fix(laboratory: Laboratory) -> Search:
    """Look for the fix of its program."""
    search = Search(laboratory)
    search.run()
    return search


def prove_by_hand(laboratory: Laboratory, texts: dict[str, str], wrong: Callable[[Finding], bool]) -> Attempt:
    """What the machinery says of texts that a person edited to fix the findings that are `wrong`."""
    original = laboratory.observe({})
    findings = original.report.findings if original.report else ()
    fix = Fix(title="By hand", safety=Safety.UNSAFE)
    chosen = [
        Choice(finding, fix, (), reported_fix(finding, fix.title, laboratory.place, laboratory.text))
        for finding in findings
        if wrong(finding)
    ]
    wrong_eagerly = any(repair_of(choice.finding).eagerly is Eagerly.WRONG for choice in chosen)
    corrected = texts if wrong_eagerly else {}
    return Judge(laboratory, original).attempt(texts, chosen, original.report, corrected=corrected)
