"""The texts that the editor has open, as it shows them: files, and notebooks made of cells."""

import dataclasses
import json
import os
from collections.abc import Iterator

from lsprotocol import types
from pygls.uris import to_fs_path

from graphdoctor.errors import SourceError
from graphdoctor.server.positions import edited
from graphdoctor.source.files import read_bytes
from graphdoctor.source.notebooks import notebook_text


@dataclasses.dataclass(frozen=True)
class Document:
    """A text at one version: a file, or what the JSON of a notebook would be; `cells` are its code cells.

    What is not saved anywhere has its name for a path.
    """

    uri: str
    version: int
    path: str
    text: str
    cells: tuple[tuple[str, str], ...] = ()  # address and text

    @property
    def python(self) -> str:
        """The text as Python."""
        if not self.path.endswith(".ipynb"):
            return self.text
        return notebook_text(self.path, self.text.encode("utf-8", "surrogatepass"))


@dataclasses.dataclass
class _Notebook:
    version: int
    cells: list[types.NotebookCell]


class Documents:
    """All open documents, by their addresses."""

    def __init__(self) -> None:
        self.encoding = "utf-16"
        self._texts: dict[str, tuple[int, str]] = {}
        self._notebooks: dict[str, _Notebook] = {}

    def open(self, item: types.TextDocumentItem) -> None:
        """A file, or a cell."""
        self._texts[item.uri] = item.version, item.text

    def change(self, uri: str, version: int, changes: list[types.TextDocumentContentChangeEvent]) -> None:
        """Each change is of the text that the ones before it left."""
        _, text = self._texts.get(uri, (0, ""))
        for change in changes:
            text = edited(text, change, self.encoding)
        self._texts[uri] = version, text

    def close(self, uri: str) -> None:
        """A file, or a cell."""
        self._texts.pop(uri, None)

    def open_notebook(self, params: types.DidOpenNotebookDocumentParams) -> None:
        """A notebook with its cells."""
        notebook = params.notebook_document
        self._notebooks[notebook.uri] = _Notebook(notebook.version, list(notebook.cells))
        for item in params.cell_text_documents:
            self.open(item)

    def change_notebook(self, params: types.DidChangeNotebookDocumentParams) -> list[str]:
        """Cells that come, go, or have another text; the addresses of those that went."""
        notebook = self._notebooks[params.notebook_document.uri]
        notebook.version = params.notebook_document.version
        cells = params.change.cells
        structure = cells.structure if cells is not None else None
        if structure is not None:
            start, end = structure.array.start, structure.array.start + structure.array.delete_count
            notebook.cells[start:end] = structure.array.cells or ()
            for item in structure.did_open or ():
                self.open(item)
            for closed in structure.did_close or ():
                self.close(closed.uri)
        for changed in (cells.data or ()) if cells is not None else ():
            known = [cell.document for cell in notebook.cells]
            if changed.document in known:
                notebook.cells[known.index(changed.document)] = changed
        for content in (cells.text_content or ()) if cells is not None else ():
            self.change(content.document.uri, content.document.version, list(content.changes))
        return [closed.uri for closed in structure.did_close or ()] if structure is not None else []

    def close_notebook(self, params: types.DidCloseNotebookDocumentParams) -> None:
        """A notebook and its cells."""
        self._notebooks.pop(params.notebook_document.uri, None)
        for cell in params.cell_text_documents:
            self.close(cell.uri)

    def whole(self, uri: str) -> Document | None:
        """The document with this address: of a cell, its notebook. None for what is not open."""
        if uri in self._notebooks:
            return self._whole_notebook(uri)
        around = next((each for each in self._notebooks if uri in self._cells_of(each)), None)
        if around is not None:
            return self._whole_notebook(around)
        if uri not in self._texts:
            return None
        version, text = self._texts[uri]
        return Document(uri, version, path_of(uri), text)

    def text(self, uri: str) -> str | None:
        """The text of a file or of one cell; None where it is not open."""
        known = self._texts.get(uri)
        return known[1] if known is not None else None

    def version(self, uri: str) -> int | None:
        """The version of a file or of one cell; None where it is not open."""
        known = self._texts.get(uri)
        return known[0] if known is not None else None

    def all(self) -> Iterator[Document]:
        """Every file and notebook."""
        cells = {cell for notebook in self._notebooks for cell in self._cells_of(notebook)}
        for uri in (*(uri for uri in self._texts if uri not in cells), *self._notebooks):
            document = self.whole(uri)
            if document is not None:
                yield document

    def _cells_of(self, uri: str) -> list[str]:
        return [cell.document for cell in self._notebooks[uri].cells]

    def _whole_notebook(self, uri: str) -> Document:
        notebook, path = self._notebooks[uri], path_of(uri)
        code = [
            (cell.document, self._texts.get(cell.document, (0, ""))[1])
            for cell in notebook.cells
            if cell.kind is types.NotebookCellKind.Code
        ]
        name = path if path.endswith(".ipynb") else f"{path}.ipynb"
        return Document(uri, notebook.version, name, _as_json(path, [text for _, text in code]), tuple(code))


def path_of(uri: str) -> str:
    """The full path of a file; the name of what is in none."""
    path = to_fs_path(uri) if uri.startswith("file:") else None
    return os.path.normpath(path) if path else uri.rpartition("/")[2].rpartition(":")[2]


def _as_json(path: str, texts: list[str]) -> str:
    """A notebook with these cells; those that are as they were saved keep what is known of their run."""
    saved: dict[str, dict[str, object]] = {}
    try:
        cells = json.loads(read_bytes(path))["cells"] if os.path.isfile(path) else ()
        saved = {"".join(cell["source"]): cell for cell in cells if cell.get("cell_type") == "code"}
    except (SourceError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        pass
    empty: dict[str, object] = {"cell_type": "code", "outputs": [], "execution_count": None}
    return json.dumps({"cells": [{**saved.get(text, empty), "source": text} for text in texts]})
