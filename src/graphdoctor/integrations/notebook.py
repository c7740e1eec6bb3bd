"""The magics of `%load_ext graphdoctor`: run, check and explain what stands in a notebook; on and off."""

import ast
import pathlib
import shlex
import tempfile
from typing import Any

from IPython.core.error import UsageError
from IPython.core.magic import Magics, line_cell_magic, magics_class

from graphdoctor.config import load_config
from graphdoctor.errors import GraphdoctorError
from graphdoctor.integrations.below_cells import BelowCells
from graphdoctor.integrations.cells import Cells, name_cells
from graphdoctor.integrations.notebook_check import check_cells
from graphdoctor.integrations.observation import observe
from graphdoctor.integrations.shown import Preformatted, ShownPage, ShownReport
from graphdoctor.judging import check_paths, judge_recordings
from graphdoctor.recording import read_recording

USAGE = (
    "%%graphdoctor run (above a cell), %graphdoctor check [PATH …], "
    "%graphdoctor explain FUNCTION(EXAMPLES …), also above a cell, or %graphdoctor on|off"
)


@magics_class
class GraphdoctorMagics(Magics):
    """One magic with three commands, as on the command line."""

    shell: Any

    def __init__(self, shell: Any) -> None:
        super().__init__(shell)
        self._cells = Cells(shell)
        self._below = BelowCells(shell)

    @line_cell_magic
    def graphdoctor(self, line: str, cell: str | None = None) -> Any:
        """Run a cell and explain what was traced, check the cells, or explain a function."""
        command, _, rest = line.strip().partition(" ")
        try:
            self._below.reported = command in ("run", "check")
            if command == "run" and cell is not None:
                return self._run(cell)
            if command in ("on", "off"):
                self._below.on = command == "on"
                return None
            if command == "check":
                return self._check(rest)
            if command == "explain" and rest.strip():
                return self._explain(rest.strip(), cell)
        except GraphdoctorError as error:
            raise UsageError(f"graphdoctor: {error}") from error
        raise UsageError(f"graphdoctor: expected {USAGE}")

    def _run(self, cell: str) -> Any:
        with tempfile.TemporaryDirectory(prefix="graphdoctor-notebook-") as folder:
            recording = pathlib.Path(folder) / "recording.jsonl"
            with observe(recording=str(recording)) as observation:
                self._cells.run("graphdoctor run", cell)
            if observation.recording() is None:
                return Preformatted("TensorFlow was not imported; nothing to report")
            name_cells(recording, self._cells, pathlib.Path(folder))
            read = read_recording(str(recording))
            config = load_config(pathlib.Path.cwd())
            return ShownReport(judge_recordings((read,), config), config)

    def _check(self, rest: str) -> ShownReport:
        config = load_config(pathlib.Path.cwd())
        paths = shlex.split(rest)
        if paths:
            return ShownReport(check_paths(paths, config), config)
        with tempfile.TemporaryDirectory(prefix="graphdoctor-notebook-") as folder:
            return ShownReport(check_cells(self.shell, config, pathlib.Path(folder)), config)

    def _explain(self, call: str, cell: str | None) -> Any:
        if cell is not None and not self._cells.run("graphdoctor explain", cell):
            return None
        from graphdoctor.autograph import explain
        from graphdoctor.reports.explanation_page import render_explanation

        try:
            parsed = ast.parse(call, mode="eval").body
        except SyntaxError:
            parsed = None
        if not isinstance(parsed, ast.Call):
            raise UsageError(f"graphdoctor: explain takes a call with example arguments, not `{call}`")
        evaluated = {
            keyword.arg: self._value(keyword.value) for keyword in parsed.keywords if keyword.arg is not None
        }
        examples = [self._value(argument) for argument in parsed.args]
        explained = explain(self._value(parsed.func), *examples, **evaluated)
        page = render_explanation([explained])
        return ShownPage(explained.function.name, *map(self._cells.named, (str(explained), page)))

    def _value(self, node: ast.expr) -> Any:
        return self.shell.ev(ast.unparse(node))


def register(shell: Any) -> None:
    """Give an IPython shell the magics."""
    shell.register_magics(GraphdoctorMagics)
