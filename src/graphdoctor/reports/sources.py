"""The text of the user's files, as far as it can be read here."""

import json
import pathlib

from graphdoctor.model.masking import without_literals
from graphdoctor.model.reading import read_regular


class SourceTexts:
    """Files and notebook cells by the path that findings name; what cannot be read is None.

    `masked`: without numbers, strings and comments; what is not Python then is None too.
    """

    def __init__(self, directory: str = "", masked: bool = False) -> None:
        self._directory = pathlib.Path(directory)
        self._masked = masked
        self._texts: dict[tuple[str, int | None], str | None] = {}

    def text(self, path: str, cell: int | None = None) -> str | None:
        """The text of a file, or of one code cell of a notebook."""
        key = (path, cell)
        if key not in self._texts:
            self._texts[key] = self._read(path, cell)
        return self._texts[key]

    def _read(self, path: str, cell: int | None) -> str | None:
        if not path or path.startswith("<"):
            return None
        try:
            data = read_regular(str(self._directory / path))
            text = data.decode("utf-8-sig", errors="replace")
            text = text if cell is None else _cell(text, cell)
            return without_literals(text) if self._masked else text
        except (OSError, ValueError, LookupError, TypeError):
            return None


def _cell(notebook: str, number: int) -> str:
    cells = [cell for cell in json.loads(notebook)["cells"] if cell["cell_type"] == "code"]
    source = cells[number - 1]["source"]
    return source if isinstance(source, str) else "".join(source)
