"""The language server protocol: texts in, diagnostics out, and what the editor asks beside them."""

from collections.abc import Callable
from typing import Any

from lsprotocol import types
from pygls.lsp.server import LanguageServer
from pygls.protocol import LanguageServerProtocol, lsp_method

from graphdoctor.server.editing import Editing
from graphdoctor.version import __version__

NOTEBOOKS = types.NotebookDocumentSyncOptions(
    notebook_selector=[
        types.NotebookDocumentFilterWithNotebook(
            notebook=types.NotebookDocumentFilterNotebookType(notebook_type="jupyter-notebook"),
            cells=[types.NotebookCellLanguage(language="python")],
        )
    ]
)
WATCHED = ("**/*.py", "**/*.ipynb", "**/pyproject.toml", "**/requirements*.txt", "**/.graphdoctor/**")


class Protocol(LanguageServerProtocol):
    """Texts are kept by us: the library's own copy counts lines as Python's `str`, not as the protocol."""

    def _editing(self) -> Editing:
        """What is known of the open documents."""
        server = self._server
        assert isinstance(server, Server)
        return server.editing

    @lsp_method(types.TEXT_DOCUMENT_DID_OPEN)
    def lsp_text_document__did_open(self, params: types.DidOpenTextDocumentParams) -> None:
        self._editing().documents.open(params.text_document)
        self._editing().check(params.text_document.uri, delay=0.0)

    @lsp_method(types.TEXT_DOCUMENT_DID_CHANGE)
    def lsp_text_document__did_change(self, params: types.DidChangeTextDocumentParams) -> None:
        document = params.text_document
        self._editing().documents.change(document.uri, document.version, list(params.content_changes))
        self._editing().check(document.uri)

    @lsp_method(types.TEXT_DOCUMENT_DID_CLOSE)
    def lsp_text_document__did_close(self, params: types.DidCloseTextDocumentParams) -> None:
        self._editing().documents.close(params.text_document.uri)
        self._editing().closed(params.text_document.uri)

    @lsp_method(types.NOTEBOOK_DOCUMENT_DID_OPEN)
    def lsp_notebook_document__did_open(self, params: types.DidOpenNotebookDocumentParams) -> None:
        self._editing().documents.open_notebook(params)
        self._editing().check(params.notebook_document.uri, delay=0.0)

    @lsp_method(types.NOTEBOOK_DOCUMENT_DID_CHANGE)
    def lsp_notebook_document__did_change(self, params: types.DidChangeNotebookDocumentParams) -> None:
        for cell in self._editing().documents.change_notebook(params):
            self._editing().clear(cell)
        self._editing().check(params.notebook_document.uri)

    @lsp_method(types.NOTEBOOK_DOCUMENT_DID_CLOSE)
    def lsp_notebook_document__did_close(self, params: types.DidCloseNotebookDocumentParams) -> None:
        self._editing().documents.close_notebook(params)
        self._editing().closed(
            params.notebook_document.uri, [cell.uri for cell in params.cell_text_documents]
        )


class Server(LanguageServer):
    """`graphdoctor server`, with what it knows of the editor's documents."""

    def __init__(self) -> None:
        super().__init__(
            "graphdoctor",
            __version__,
            text_document_sync_kind=types.TextDocumentSyncKind.Incremental,
            notebook_document_sync=NOTEBOOKS,
            protocol_cls=Protocol,
            max_workers=2,
        )
        self.editing = Editing(self)


def make_server() -> Server:
    """A server that is not connected with an editor yet."""
    server = Server()
    editing = server.editing

    def feature(name: str, options: Any = None) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
        return server.feature(name, options)

    @feature(types.INITIALIZE)
    def initialize(params: types.InitializeParams) -> None:
        editing.begin(params)

    @feature(types.INITIALIZED)
    def initialized(_: types.InitializedParams) -> None:
        editing.watch(WATCHED)

    @feature(types.SHUTDOWN)
    def shutdown(_: None) -> None:
        editing.end()

    @feature(types.TEXT_DOCUMENT_DID_SAVE)
    def did_save(_: types.DidSaveTextDocumentParams) -> None:
        editing.files_changed()

    @feature(types.NOTEBOOK_DOCUMENT_DID_SAVE)
    def did_save_notebook(_: types.DidSaveNotebookDocumentParams) -> None:
        editing.files_changed()

    @feature(types.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    def did_change_files(_: types.DidChangeWatchedFilesParams) -> None:
        editing.files_changed()

    @feature(types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS)
    def did_change_folders(_: types.DidChangeWorkspaceFoldersParams) -> None:
        editing.files_changed()

    @feature(
        types.TEXT_DOCUMENT_CODE_ACTION,
        types.CodeActionOptions(code_action_kinds=[types.CodeActionKind.QuickFix]),
    )
    def code_action(params: types.CodeActionParams) -> list[types.CodeAction]:
        return editing.quick_fixes(params)

    @feature(types.TEXT_DOCUMENT_HOVER)
    def hover(params: types.HoverParams) -> types.Hover | None:
        return editing.hover(params)

    @feature(types.TEXT_DOCUMENT_CODE_LENS)
    async def code_lens(params: types.CodeLensParams) -> list[types.CodeLens]:
        return await editing.lenses(params)

    return server
