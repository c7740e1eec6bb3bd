"""An editor, as far as the protocol goes: starts `graphdoctor server` and speaks with it."""

import json
import os
import pathlib
import queue
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from typing import Any

PATIENCE = 120.0  # seconds until a server that says nothing counts as stuck
Message = dict[str, Any]


class LanguageClient:
    """Sends requests and notifications; what the server says by itself is kept in `said`."""

    def __init__(
        self,
        folder: pathlib.Path,
        *,
        options: Any = None,
        capabilities: Message | None = None,
        encodings: list[str] | None = None,
        command: tuple[str, ...] = (sys.executable, "-m", "graphdoctor", "server"),
    ) -> None:
        self.folder = folder
        self.said: list[Message] = []
        self._number = 0
        self._came: queue.Queue[Message | None] = queue.Queue()
        self.process = subprocess.Popen(
            command,
            cwd=folder,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        )
        self._errors: list[bytes] = []
        self._threads = [
            threading.Thread(target=action, daemon=True) for action in (self._read, self._read_errors)
        ]
        for thread in self._threads:
            thread.start()
        general = {"general": {"positionEncodings": encodings}} if encodings else {}
        self.initialized = self.request(
            "initialize",
            {
                "processId": os.getpid(),
                "rootUri": folder.as_uri(),
                "workspaceFolders": [{"uri": folder.as_uri(), "name": "project"}],
                "capabilities": {**general, **(capabilities or {})},
                "initializationOptions": options,
            },
        )
        self.notify("initialized", {})

    def __enter__(self) -> "LanguageClient":
        return self

    def __exit__(self, *error: object) -> None:
        if error[0] is None:
            assert self.leave() == 0, self.errors
        self.process.kill()
        self.process.wait()
        for thread in self._threads:
            thread.join(PATIENCE)
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            if stream is not None:
                stream.close()

    @property
    def errors(self) -> str:
        """What the server wrote to standard error."""
        return b"".join(self._errors).decode()

    def leave(self) -> int:
        """End the server as editors do; its exit code."""
        self.request("shutdown", None)
        self.notify("exit", None)
        return self.process.wait(PATIENCE)

    def request(self, method: str, params: Any) -> Any:
        """The result of a request; an error is an AssertionError."""
        number = self.send(method, params)
        answer = self.until(lambda message: message.get("id") == number and "method" not in message)
        assert "error" not in answer, answer["error"]
        return answer["result"]

    def send(self, method: str, params: Any) -> int:
        """Send a request and do not wait; its number."""
        self._number += 1
        self._write({"id": self._number, "method": method, "params": params})
        return self._number

    def notify(self, method: str, params: Any) -> None:
        """Send a notification."""
        self._write({"method": method, "params": params})

    def until(self, wanted: Callable[[Message], bool]) -> Message:
        """The next message of this kind; what comes before it is kept, and requests are answered."""
        for message in self._messages():
            if "method" in message and "id" in message:
                self._write({"id": message["id"], "result": None})
            if wanted(message):
                return message
        raise AssertionError(f"the server ended: {self.errors}")

    def open(self, path: pathlib.Path, text: str | None = None, version: int = 1) -> str:
        """Open a file; its address."""
        uri = path.as_uri()
        text = path.read_text(encoding="utf-8") if text is None else text
        document = {"uri": uri, "languageId": "python", "version": version, "text": text}
        self.notify("textDocument/didOpen", {"textDocument": document})
        return uri

    def change(self, uri: str, version: int, *changes: Message) -> None:
        """Change a text: `{"text": …}` is a whole one."""
        document = {"uri": uri, "version": version}
        self.notify("textDocument/didChange", {"textDocument": document, "contentChanges": list(changes)})

    def diagnostics(self, uri: str, version: int | None = None) -> list[Message]:
        """The diagnostics that come next for a document, or for a version of it."""

        def wanted(message: Message) -> bool:
            params = message.get("params") or {}
            published = message.get("method") == "textDocument/publishDiagnostics"
            return published and params["uri"] == uri and version in (None, params.get("version"))

        found: list[Message] = self.until(wanted)["params"]["diagnostics"]
        return found

    def actions(self, uri: str, diagnostic: Message) -> list[Message]:
        """The quick fixes for a diagnostic."""
        context = {"diagnostics": [diagnostic], "only": ["quickfix"]}
        params = {"textDocument": {"uri": uri}, "range": diagnostic["range"], "context": context}
        found: list[Message] = self.request("textDocument/codeAction", params)
        return found

    def _messages(self) -> Iterator[Message]:
        while True:
            try:
                message = self._came.get(timeout=PATIENCE)
            except queue.Empty:
                raise AssertionError(f"the server says nothing: {self.errors}") from None
            if message is None:
                return
            self.said.append(message)
            yield message

    def _write(self, message: Message) -> None:
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        assert self.process.stdin is not None
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.process.stdin.flush()

    def _read(self) -> None:
        stream = self.process.stdout
        assert stream is not None
        while line := stream.readline():
            length = int(line.partition(b":")[2])  # every byte must belong to a message
            while stream.readline().strip():
                pass
            self._came.put(json.loads(stream.read(length)))
        self._came.put(None)

    def _read_errors(self) -> None:
        assert self.process.stderr is not None
        for line in self.process.stderr:
            self._errors.append(line)
