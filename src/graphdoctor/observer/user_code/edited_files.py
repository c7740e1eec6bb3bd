"""Source files that changed after their import: AutoGraph reads them when a function is first traced."""

import importlib.machinery
import os
import sys
import time
import types
import weakref
from collections.abc import Iterator
from typing import Any

from graphdoctor.observer.probe import Emit, Event, Probe
from graphdoctor.observer.user_code.callsite import chain_at
from graphdoctor.observer.user_code.reached_functions import reach_of
from graphdoctor.recording.format import Definition, EditedSource


class EditedSources(Probe):
    """Compares the text that AutoGraph is about to read with the code that was imported.

    TensorFlow 2.21 converts a function once, from the lines at which it stood when it was imported.
    Only files newer than the start of the run are read again; all others cost one `stat` per function.
    """

    def __init__(self, emit: Emit, started: float | None = None) -> None:
        self._emit = emit
        self._started = time.time() if started is None else started
        self._converted: weakref.WeakSet[types.CodeType] = weakref.WeakSet()
        self._compiled: dict[tuple[str, int, int], types.CodeType | None] = {}

    def begun(self, event: Event, function: Any, options: Any) -> None:
        if event["library"] or not (options.autograph or event.get("origin") == "dataset"):
            return
        for reached in reach_of(event, function):
            if reached.code in self._converted:
                continue
            self._converted.add(reached.code)
            if self._differs(reached.code):
                name, path, line = reached.name, reached.code.co_filename, reached.code.co_firstlineno
                self._emit(
                    EditedSource(
                        trace=event["number"],
                        function=Definition(name=name, path=path, line=line),
                        chain=chain_at(path, line, name),
                    )
                )

    def _differs(self, code: types.CodeType) -> bool:
        """Whether the file, read now, no longer holds this code at its lines."""
        try:
            status = os.stat(code.co_filename)
        except OSError:
            return False
        if status.st_mtime <= self._started or not _was_imported_as_it_stands(code.co_filename):
            return False
        key = (code.co_filename, status.st_mtime_ns, status.st_size)
        if key not in self._compiled:
            self._compiled = {key: _compile(code.co_filename)}
        now = self._compiled[key]
        return now is None or code not in _inside(now)


def _was_imported_as_it_stands(path: str) -> bool:
    """Whether Python itself compiled the file; test runners and checkers of types rewrite code first."""
    modules = [m for m in list(sys.modules.values()) if getattr(m, "__file__", None) == path]
    loaders = [getattr(module, "__loader__", None) for module in modules]
    return bool(modules) and all(
        loader is None or type(loader) is importlib.machinery.SourceFileLoader for loader in loaders
    )


def _compile(path: str) -> types.CodeType | None:
    try:
        with open(path, "rb") as file:
            return compile(file.read(), path, "exec", dont_inherit=True)
    except (OSError, SyntaxError, ValueError):
        return None


def _inside(code: types.CodeType) -> Iterator[types.CodeType]:
    yield code
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from _inside(constant)
