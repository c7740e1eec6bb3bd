"""Programs such as people write: each pitfall is found where a comment says so, and nothing else."""

import json
import pathlib
import re
from collections.abc import Iterator

import pytest

from graphdoctor.config import Config
from graphdoctor.judging import check_paths

FOLDER = pathlib.Path(__file__).parent / "programs/check"
MARK = re.compile(r"# <- (GD\d+)")
PROGRAMS = sorted(path for kind in ("correct", "faulty") for path in (FOLDER / kind).iterdir())


def marks(files: list[pathlib.Path]) -> set[tuple[str, int | None, int, str]]:
    """What the comments say will be found."""
    return {
        (file.name, cell, number, found[1])
        for file in files
        for cell, text in texts(file)
        for number, line in enumerate(text.splitlines(), start=1)
        if (found := MARK.search(line))
    }


def texts(file: pathlib.Path) -> Iterator[tuple[int | None, str]]:
    """The text of a file; of a notebook each code cell with its number."""
    if file.suffix == ".py":
        yield None, file.read_text()
        return
    cells = [cell for cell in json.loads(file.read_text())["cells"] if cell["cell_type"] == "code"]
    for number, cell in enumerate(cells, start=1):
        yield number, "".join(cell["source"])


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_what_is_marked_is_found_and_nothing_else(program: pathlib.Path) -> None:
    files = sorted(program.rglob("*.py")) if program.is_dir() else [program]
    report = check_paths([str(file) for file in files], Config(keras=3))
    found = {(pathlib.Path(f.path).name, f.cell, f.line, f.rule) for f in report.findings}
    assert found == marks(files)
    assert bool(found) == (program.parent.name == "faulty")
