"""The open documents, what was found in them, and who is asked to look again when something changes."""

import asyncio
import functools
import logging
import os
from collections.abc import Iterable, Mapping
from typing import Any

from lsprotocol import types
from pygls.lsp.server import LanguageServer
from pygls.uris import to_fs_path

from graphdoctor.errors import ConfigError, SourceError
from graphdoctor.judging.modules import crash_finding
from graphdoctor.server.checking import Checked, Checker
from graphdoctor.server.diagnostics import Result, result_of
from graphdoctor.server.documents import Document, Documents
from graphdoctor.server.evidence import Evidence
from graphdoctor.server.hovers import hover
from graphdoctor.server.positions import Places, overlap
from graphdoctor.server.quick_fixes import quick_fixes
from graphdoctor.server.settings import Settings, read_settings
from graphdoctor.server.worker import GoOn, Worker

LATER = 0.5  # seconds until documents are looked at again of which nobody has typed in
logger = logging.getLogger(__name__)


class Editing:
    """Everything but `_check` and `_measure` runs in the thread that speaks with the editor."""

    def __init__(self, server: LanguageServer) -> None:
        self.documents = Documents()
        self._server = server
        self._settings = Settings()
        self._checker = Checker(self._settings, self._complain_later)
        self._worker = Worker()
        self._evidence = Evidence()
        self._results: dict[str, Result] = {}
        self._loop: asyncio.AbstractEventLoop | None = None
        self._complaints: set[str] = set()
        self._measuring: dict[str, asyncio.Future[list[tuple[int, str]]]] = {}

    def begin(self, params: types.InitializeParams) -> None:
        """The editor said who it is and what it wants."""
        self._loop = asyncio.get_running_loop()
        encoding = self._server.workspace.position_encoding
        self.documents.encoding = str(getattr(encoding, "value", encoding))
        try:
            self._settings = read_settings(params.initialization_options)
        except ConfigError as error:
            self._complain(str(error))
        self._checker = Checker(self._settings, self._complain_later)
        self._worker.start()

    def watch(self, patterns: Iterable[str]) -> None:
        """Ask the editor to say when such files change."""
        workspace = self._server.client_capabilities.workspace
        watching = workspace.did_change_watched_files if workspace is not None else None
        if watching is None or not watching.dynamic_registration:
            return
        watchers = [types.FileSystemWatcher(pattern) for pattern in patterns]
        registration = types.Registration(
            id="graphdoctor-files",
            method=types.WORKSPACE_DID_CHANGE_WATCHED_FILES,
            register_options=types.DidChangeWatchedFilesRegistrationOptions(watchers),
        )
        self._server.client_register_capability(types.RegistrationParams([registration]))

    def end(self) -> None:
        """The editor leaves."""
        self._worker.stop()

    def check(self, uri: str, delay: float | None = None) -> None:
        """Look at a document again, and then at those that depend on it."""
        document = self.documents.whole(uri)
        if document is None:
            return
        pause = self._settings.delay if delay is None else delay
        self._ask(document, pause, urgent=True)
        for other in self.documents.all():
            if other.uri != document.uri and self._follows(other, document):
                self._ask(other, LATER, urgent=False)

    def files_changed(self) -> None:
        """Files were written, moved or deleted: look at all that is open again."""
        checker = self._checker
        self._worker.ask("files", lambda go_on: checker.forget_files())
        for document in self.documents.all():
            self._ask(document, LATER, urgent=False)
        self._ask_for_lenses()

    def closed(self, uri: str, cells: Iterable[str] = ()) -> None:
        """A document is shown no more."""
        self._worker.drop(uri)
        self._results.pop(uri, None)
        for address in (uri, *cells):
            self.clear(address)

    def clear(self, uri: str) -> None:
        """Nothing is shown there any more."""
        self._publish(uri, None, [])

    def quick_fixes(self, params: types.CodeActionParams) -> list[types.CodeAction]:
        """What can be done about the findings in a range, if the text is still the one that was checked."""
        uri, only = params.text_document.uri, params.context.only
        result = self._current(uri)
        if result is None or (only is not None and not any(_asks_for_fixes(kind) for kind in only)):
            return []
        source = self.documents.text(uri) or ""
        versions = self.documents.version if self._compares_versions() else None
        asked = [(known.code, known.range) for known in params.context.diagnostics]
        found = [
            one
            for one in result.at(uri)
            if overlap(one.diagnostic.range, params.range)
            or (one.diagnostic.code, one.diagnostic.range) in asked  # of the whole line that the cursor is in
        ]
        return [
            action
            for one in found
            for action in quick_fixes(one.finding, one.diagnostic, result.addresses, versions, source)
        ]

    def hover(self, params: types.HoverParams) -> types.Hover | None:
        """The page of the rule that found something there."""
        uri = params.text_document.uri
        text = self.documents.text(uri)
        if text is None:
            return None
        return hover(self._current(uri), uri, Places(text, self.documents.encoding), params.position)

    async def lenses(self, params: types.CodeLensParams) -> list[types.CodeLens]:
        """What the last run measured, above the lines that it went through."""
        document = self.documents.whole(params.text_document.uri)
        if document is None or not self._settings.lenses or not document.path.endswith(".py"):
            return []
        loop = asyncio.get_running_loop()
        answer: asyncio.Future[list[tuple[int, str]]] = loop.create_future()
        folder, texts = self._folder_of(document), self._texts()
        measure = functools.partial(self._measure, document, folder, texts, answer)
        previous = self._measuring.pop(document.uri, None)
        if previous is not None and not previous.done():
            previous.set_result([])  # an answer for an older text
        self._measuring[document.uri] = answer
        self._worker.ask(f"{document.uri}#lenses", measure, urgent=False)
        places = Places(document.text, self.documents.encoding)
        return [
            types.CodeLens(places.line(line), types.Command(title=text, command=""))
            for line, text in await answer
        ]

    def _follows(self, document: Document, changed: Document) -> bool:
        return self._checker.follows(self._folder_of(document), document, changed.path)

    def _ask(self, document: Document, delay: float, urgent: bool) -> None:
        check = functools.partial(self._check, document, self._folder_of(document), self._texts())
        self._worker.ask(document.uri, check, delay=delay, urgent=urgent)

    def _check(self, document: Document, folder: str, texts: Mapping[str, str], go_on: GoOn) -> None:
        """In the worker: what is found, unless a newer text has come."""
        try:
            checked = self._checker.check(document, folder, texts, go_on)
        except SourceError as error:
            if document.uri in self._results:
                return  # half typed: what was found before stays, and moves with the text
            finding = crash_finding(os.path.relpath(document.path, folder), error)
            checked = Checked(document, folder, (finding,), texts)
        result = result_of(checked, self.documents.encoding)
        go_on()
        self._later(self._show, result)

    def _measure(
        self,
        document: Document,
        folder: str,
        texts: Mapping[str, str],
        answer: "asyncio.Future[list[tuple[int, str]]]",
        go_on: GoOn,
    ) -> None:
        """In the worker: what runs showed of a document."""
        found: list[tuple[int, str]] = []
        try:
            found = self._evidence.beside(folder, document.path, texts)
        finally:
            self._later(_answer, answer, found)

    def _show(self, result: Result) -> None:
        document = result.checked.document
        current = self.documents.whole(document.uri)
        if current is None or current.version != document.version:
            return
        self._results[document.uri] = result
        for uri, shown in result.shown.items():
            self._publish(uri, self.documents.version(uri), [one.diagnostic for one in shown])

    def _publish(self, uri: str, version: int | None, diagnostics: list[types.Diagnostic]) -> None:
        self._server.text_document_publish_diagnostics(
            types.PublishDiagnosticsParams(uri=uri, diagnostics=diagnostics, version=version)
        )

    def _current(self, uri: str) -> Result | None:
        """What was found in the text that is open now."""
        document = self.documents.whole(uri)
        result = self._results.get(document.uri) if document is not None else None
        if document is None or result is None or result.checked.document.version != document.version:
            return None
        return result

    def _texts(self) -> dict[str, str]:
        """What is open, by full path, as Python."""
        found: dict[str, str] = {}
        for document in self.documents.all():
            try:
                found[document.path] = document.python
            except SourceError:
                continue
        return found

    def _folder_of(self, document: Document) -> str:
        """The folder of the workspace that a document is in; else its own."""
        workspace = self._server.workspace
        folders = [to_fs_path(uri) for uri in workspace.folders] or [workspace.root_path]
        inside = [each for each in folders if each and _is_below(document.path, each)]
        if inside:
            return max(inside, key=len)
        if os.path.isabs(document.path):
            return os.path.dirname(document.path)
        return next(filter(None, folders), os.getcwd())

    def _compares_versions(self) -> bool:
        """Whether the editor takes edits with the version of the text that they are for."""
        workspace = self._server.client_capabilities.workspace
        edits = workspace.workspace_edit if workspace is not None else None
        return edits is not None and bool(edits.document_changes)

    def _ask_for_lenses(self) -> None:
        workspace = self._server.client_capabilities.workspace
        lens = workspace.code_lens if workspace is not None else None
        if lens is not None and lens.refresh_support:
            self._server.workspace_code_lens_refresh(None)

    def _later(self, action: Any, *arguments: Any) -> None:
        """Let the thread that speaks with the editor do something."""
        loop = self._loop
        if loop is not None and not loop.is_closed():
            loop.call_soon_threadsafe(action, *arguments)

    def _complain_later(self, message: str) -> None:
        self._later(self._complain, message)

    def _complain(self, message: str) -> None:
        """Say what is wrong with the configuration, once."""
        logger.error("%s", message)
        if message not in self._complaints:
            self._complaints.add(message)
            self._server.window_show_message(
                types.ShowMessageParams(types.MessageType.Error, f"graphdoctor: {message}")
            )


def _answer(answer: "asyncio.Future[list[tuple[int, str]]]", found: list[tuple[int, str]]) -> None:
    if not answer.done():
        answer.set_result(found)


def _asks_for_fixes(kind: str) -> bool:
    """Whether a client that wants actions of this kind wants quick fixes."""
    kind = str(getattr(kind, "value", kind))
    return kind in ("", "quickfix")


def _is_below(path: str, folder: str) -> bool:
    return path.startswith(folder.rstrip(os.sep) + os.sep)
