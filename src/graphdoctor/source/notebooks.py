"""Jupyter notebooks: their code cells as one text, and the way back from its lines to the cells."""

import ast
import dataclasses
import json
import re
from typing import Any

from graphdoctor.errors import SourceError

MAGIC = re.compile(r"^(\s*)([%!?].*|\w[\w.]*\?{1,2}\s*)$")
SHELL_ASSIGNMENT = re.compile(r"^(\s*)([\w, ]+=\s*[!%].*)$")
MARK = "  # graphdoctor-magic: "


@dataclasses.dataclass(frozen=True, slots=True)
class Cell:
    """A code cell: its number among the code cells, and the first line of the joined text it fills."""

    number: int
    first: int
    last: int


def notebook_text(path: str, data: bytes) -> str:
    """The code cells as one Python text; lines that are not Python become `pass`."""
    return "".join(cell_python(source) for source in notebook_sources(path, data))


def notebook_cells(path: str, data: bytes) -> tuple[Cell, ...]:
    """Where each code cell stands in the joined text."""
    cells, line = [], 1
    for number, source in enumerate(notebook_sources(path, data), start=1):
        count = cell_python(source).count("\n")
        cells.append(Cell(number, line, line + count - 1))
        line += count
    return tuple(cells)


def notebook_sources(path: str, data: bytes) -> list[str]:
    """The text of each code cell."""
    return ["".join(cell["source"]) for cell in _code_cells(path, data)]


def cells_that_ran(path: str, data: bytes) -> frozenset[int]:
    """The numbers of the code cells that were run, and have stored no exception of their own."""
    return frozenset(number for number, cell in enumerate(_code_cells(path, data), start=1) if _has_run(cell))


def _has_run(cell: dict[str, Any]) -> bool:
    """Whether a cell has a number or shows something, and was not ended but by its user."""
    outputs = cell.get("outputs")
    if not isinstance(outputs, list) or not all(isinstance(output, dict) for output in outputs):
        return False
    errors = [output for output in outputs if output.get("output_type") == "error"]
    shown = len(outputs) > len(errors)
    if any(error.get("ename") != "KeyboardInterrupt" for error in errors):
        return False
    return shown or (not errors and cell.get("execution_count") is not None)


def _code_cells(path: str, data: bytes) -> list[dict[str, Any]]:
    try:
        cells = json.loads(data)["cells"]
        code = [cell for cell in cells if cell.get("cell_type") == "code" and "source" in cell]
        for cell in code:
            "".join(cell["source"])
        return code
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise SourceError(f"{path} is not a notebook: {type(error).__name__}: {error}") from error


def cell_python(source: str) -> str:
    """A cell as Python that ends with a line of its own."""
    text = "\n".join(_python_line(line) for line in source.split("\n")) + "\n"
    first = source.lstrip()
    other_language = first.startswith("%%") and not first.startswith(("%%time", "%%capture"))
    if other_language or not _is_python(text):
        return "".join(f"pass{MARK}{line}\n" for line in source.split("\n"))
    return text


def with_magics(text: str) -> str:
    """The way back from `cell_python`: each line that was not Python as it stood in the cell."""
    return text.replace(f"pass{MARK}", "")


def _is_python(text: str) -> bool:
    """False for a cell with a shell command over several lines, or a mistake; others are still checked."""
    try:
        ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True


def _python_line(line: str) -> str:
    found = MAGIC.match(line) or SHELL_ASSIGNMENT.match(line)
    return f"{found[1]}pass{MARK}{found[2]}" if found else line
