"""What tests and benchmarks use to cure programs with one TensorFlow for all of them."""

import itertools
import pathlib
import tempfile
from typing import Any

from graphdoctor.config import Config
from graphdoctor.fixing.copies import Place
from graphdoctor.fixing.curing import Search
from graphdoctor.fixing.trials import Ended, Laboratory
from running import TIME_LIMIT, TensorFlowServer


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
        texts = [(folder / name).read_text(errors="replace") for name in ("output.txt", "errors.txt")]
        return Ended(answer["status"], *texts, "time limit" if answer["timed_out"] else "")


def search_cure(folder: pathlib.Path, name: str, server: TensorFlowServer) -> Search:
    """Look for the cure of a program in a folder that holds all that belongs to it."""
    with tempfile.TemporaryDirectory() as directory:
        place = Place(str(folder), str(folder), (name,), name)
        runner = ForkingRunner(server, pathlib.Path(directory))
        laboratory = Laboratory(place, runner, Config(keras=3), directory)
        search = Search(laboratory)
        search.run()
        return search
