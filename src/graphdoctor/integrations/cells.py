"""The cells of a notebook session: what was run, under which file name, and how to speak of it."""

import json
import linecache
import pathlib
import re
from typing import Any

MAGIC = re.compile(r"^(\s*)(?:[%!?]|[\w.]+\?\??\s*$|[\w, ]+=\s*[%!])")


def cell_name(number: int) -> str:
    """A cell as Jupyter names it in tracebacks."""
    return f"In[{number}]"


class Cells:
    """Which file IPython compiled each cell under.

    A cell that a magic runs is numbered by IPython as if it were the next one: we know better.
    """

    def __init__(self, shell: Any) -> None:
        self._shell = shell
        self._run_by_us: dict[str, int] = {}

    def run(self, magic: str, cell: str) -> bool:
        """Run a cell's body, so that its lines count as in the cell that is seen; whether it went well."""
        before = self._compiled()
        result = self._shell.run_cell(f"# %%{magic}\n{cell}", store_history=False)
        number = len(self._shell.history_manager.input_hist_raw) - 1
        changed = [name for name, known in self._compiled().items() if before.get(name) != known]
        self._run_by_us.update(dict.fromkeys(changed, number))
        return bool(result.success)

    def numbers(self) -> dict[str, int]:
        """The numbers of cells by the name of their file."""
        return {**self._compiled(), **self._run_by_us}

    def named(self, text: str) -> str:
        """A text with `In[3]` in place of the file that IPython compiled the cell under."""
        for name, number in self.numbers().items():
            text = text.replace(name, cell_name(number)).replace(pathlib.Path(name).name, cell_name(number))
        return text

    def _compiled(self) -> dict[str, int]:
        return dict(getattr(self._shell.compile, "_filename_map", {}))  # IPython 8 and later


def executed_cells(shell: Any) -> dict[int, str]:
    """The text of each cell that was run, by its number."""
    raw = shell.history_manager.input_hist_raw
    return {number: text for number, text in enumerate(raw) if number > 0 and text.strip()}


def as_python(text: str) -> str:
    """A cell as Python with as many lines; what only IPython understands becomes `pass`."""
    lines = text.split("\n")
    if lines[0].startswith("%%"):
        if not lines[0].startswith(("%%graphdoctor", "%%time", "%%capture")):
            return "\n" * (len(lines) - 1)
        lines[0] = ""
    return "\n".join(
        f"{found[1]}pass" if (found := MAGIC.match(line)) is not None else line for line in lines
    )


def name_cells(recording: pathlib.Path, cells: Cells, directory: pathlib.Path) -> None:
    """Let a recording speak of `In[3]` where it names the file that IPython compiled the cell under.

    The texts of the cells are written to the directory, so that rules and reports can read them.
    """
    text = recording.read_text(encoding="utf-8")
    for name, number in cells.numbers().items():
        quoted = json.dumps(name)
        if quoted in text:
            place = directory / cell_name(number)
            place.write_text("".join(linecache.getlines(name)), encoding="utf-8")
            text = text.replace(quoted, json.dumps(str(place)))
    header, rest = text.split("\n", 1)
    reported = {**json.loads(header), "directory": str(directory), "program": ["notebook"]}
    recording.write_text(json.dumps(reported) + "\n" + rest, encoding="utf-8")
