"""A notebook as a program that can be run and edited, and its lines mapped back to cells."""

import re

from graphdoctor.fixing.fixing import diff_of
from graphdoctor.source.notebooks import cell_python, notebook_sources, with_magics

SUFFIX = ".py"  # `book.ipynb` runs as `book.ipynb.py`
HEAD = "display = print\n"  # what notebooks have and programs have not
MARK = re.compile(r"^# %% cell (\d+)\n", re.MULTILINE)


def program_of(path: str, notebook: bytes) -> str:
    """Its code cells one after the other, each under a comment with its number; magics do nothing."""
    sources = notebook_sources(path, notebook)
    cells = (f"# %% cell {number}\n{cell_python(source)}" for number, source in enumerate(sources, start=1))
    return HEAD + "".join(cells)


def notebook_of(path: str) -> str:
    """The notebook that a program was made of, or the program's own path."""
    return path.removesuffix(SUFFIX) if path.endswith(f".ipynb{SUFFIX}") else path


def cell_at(text: str, line: int) -> tuple[int | None, int]:
    """The cell of a line of such a program and the line in it; of another program, None and the line."""
    before = "".join(text.splitlines(keepends=True)[: line - 1])
    marks = list(MARK.finditer(before))
    if not marks:
        return None, line
    return int(marks[-1][1]), line - before[: marks[-1].end()].count("\n")


def diff_of_cells(name: str, before: str, after: str) -> str:
    """The change cell by cell."""
    was, now = _cells(before), _cells(after)
    return "".join(
        diff_of(f"{name} cell {number}", with_magics(was.get(number, "")), with_magics(now.get(number, "")))
        for number in sorted(was.keys() | now.keys())
    )


def _cells(text: str) -> dict[int, str]:
    _, *parts = MARK.split(text)
    return {int(number): cell for number, cell in zip(parts[::2], parts[1::2], strict=True)}
