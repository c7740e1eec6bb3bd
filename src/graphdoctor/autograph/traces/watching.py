"""A call under observation → which lines ran, what AutoGraph decided, and which functions were reached."""

import ast
import contextlib
import gc
import inspect
import sys
import threading
import types
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

from graphdoctor.autograph import tensorflow_internals as internals
from graphdoctor.autograph.places import SourceLine, code_of, is_generated, is_users, runs_users_code
from graphdoctor.autograph.statements import assigned_names, first_line, statements_of
from graphdoctor.autograph.traces.noticed import AsIs, Call, Decision, LogEntry, counting, decide
from graphdoctor.autograph.values import Value, look_at


class Watch:
    """Listens to AutoGraph, and to Python itself, while a function is traced."""

    def __init__(self, root: types.CodeType, verbosity: int = 0) -> None:
        self.root = root
        self.verbosity = verbosity
        self.passes = 0
        self.log: list[LogEntry] = []
        self.failed_at: tuple[BaseException, SourceLine] | None = None
        self._origins: dict[SourceLine, SourceLine] = {}
        self._origin_codes: dict[str, types.CodeType] = {}
        self._stack: list[Call] = []
        self._depth = 0
        self._forget()

    def _forget(self) -> None:
        """Start again: a function that creates Variables is traced twice, and the last pass counts."""
        self.lines: Counter[SourceLine] = Counter()
        self.values: dict[SourceLine, dict[str, Value]] = {}
        self.decisions: list[Decision] = []
        self.calls: list[Call] = []
        self.converted_codes: set[types.CodeType] = set()
        self.as_is: dict[types.CodeType, AsIs] = {}
        self.graphs: dict[int, Any] = {}

    @contextlib.contextmanager
    def watching(self) -> Iterator[None]:
        """Watch everything that happens meanwhile, in this thread and in threads started meanwhile."""
        gc.collect()  # else a generator of an earlier program may be closed, which runs its frame, meanwhile
        before, before_threads = sys.gettrace(), threading.gettrace()
        with internals.listening(self, self.verbosity):
            threading.settrace(self._on_call)
            sys.settrace(self._on_call)
            try:
                yield
            finally:
                sys.settrace(before)
                threading.settrace(before_threads)

    # What AutoGraph tells.

    def called(self, original: Callable[..., Any], args: Any, kwargs: Any) -> Any:
        function, arguments = args[0], args[1] if len(args) > 1 else ()
        handed_over = tuple(argument for argument in arguments if inspect.isroutine(argument))
        caller = _asking(sys._getframe(2))
        call = Call(function, self._nearest(caller), handed_over=handed_over, direct=self._is_watched(caller))
        self.calls.append(call)
        self._stack.append(call)
        try:
            return original(*args, **kwargs)
        finally:
            self._stack.pop()

    def ran_as_is(self, function: Any) -> None:
        if self._stack and self._stack[-1].outcome == "built-in":
            self._stack[-1].outcome = "as is"

    def could_not_convert(self, function: Any, cause: BaseException) -> None:
        if self._stack:
            self._stack[-1].outcome, self._stack[-1].cause = "failed", cause

    def converted(self, function: Any, source_map: dict[SourceLine, SourceLine]) -> None:
        self._origins.update(source_map)
        code = code_of(function)
        if code is not None:
            self._origin_codes.update((path, code) for path, _ in source_map)
        if self._stack:
            self._stack[-1].outcome = "converted"

    def statement(self, name: str, original: Callable[..., Any], args: Any) -> Any:
        place = self._nearest(_asking(sys._getframe(2)))
        if place is None:
            return original(*args)
        decision = decide(name, place, args)
        self.decisions.append(decision)
        return original(*counting(name, args, decision))

    def logged(self, level: int, message: str, arguments: tuple[Any, ...]) -> None:
        codes = [code_of(argument) for argument in arguments]
        about_user = any(code is not None and is_users(code.co_filename) for code in codes)
        self.log.append(LogEntry(level, _formatted(message, arguments), about_user))

    # What Python tells.

    def _on_call(self, frame: types.FrameType, event: str, argument: Any) -> Any:
        code = frame.f_code
        if is_generated(code.co_filename):
            return self._enter(frame, self._origin_codes.get(code.co_filename))
        if code is self.root or runs_users_code(frame):
            if code.co_name in ("<listcomp>", "<genexpr>", "<dictcomp>", "<setcomp>", "<module>"):
                return self._watch_lines(frame)
            return self._enter(frame, code, as_is=True)
        return None

    def _enter(self, frame: types.FrameType, code: types.CodeType | None, as_is: bool = False) -> Any:
        outermost = code is self.root and self._depth == 0 and (as_is or _is_function_itself(frame, code))
        if outermost:
            self._forget()
            self.passes += 1
        if as_is and code is not None and code not in self.as_is:
            self.as_is[code] = self._how_reached(frame)
        elif code is not None and not as_is:
            self.converted_codes.add(code)
        return self._watch_lines(frame, outermost)

    def _watch_lines(self, frame: types.FrameType, outermost: bool = False) -> Any:
        previous: SourceLine | None = None
        before = 0  # the line that it stood on, which may be any of a statement's
        if outermost:
            self._depth += 1

        def on_event(frame: types.FrameType, event: str, argument: Any) -> Any:
            nonlocal previous, before
            place = self._origin(frame)
            if event == "exception":
                self._note_exception(argument[1], place)
                return on_event
            if event == "line" and place is not None:
                # A statement of several lines goes from one to the other, and back to its first.
                self.lines[place] += place != previous or frame.f_lineno == before
                graph = internals.current_graph()
                self.graphs[id(graph)] = graph
            if previous is not None and event in ("line", "return"):
                self._note_values(previous, frame)
            previous, before = (place, frame.f_lineno) if event == "line" else (None, 0)
            if event == "return" and outermost:
                self._depth -= 1
            return on_event

        return on_event

    def _origin(self, frame: types.FrameType) -> SourceLine | None:
        """The user's line that a frame stands on."""
        place = (frame.f_code.co_filename, frame.f_lineno)
        if is_generated(place[0]):
            return self._mapped(place)
        return (place[0], first_line(*place))

    def _mapped(self, place: SourceLine) -> SourceLine | None:
        origin = self._origins.get(place)
        return (origin[0], first_line(*origin)) if origin is not None else None

    def _nearest(self, frame: types.FrameType | None) -> SourceLine | None:
        """The innermost line of the user's code on the stack."""
        while frame is not None:
            if self._is_watched(frame):
                return self._origin(frame)
            frame = frame.f_back
        return None

    def _note_values(self, place: SourceLine, frame: types.FrameType) -> None:
        statement = statements_of(place[0]).get(place[1])
        names = assigned_names(statement) if isinstance(statement, ast.stmt) else ()
        if names:
            scope = frame.f_locals
            self.values[place] = {name: look_at(scope[name]) for name in names if name in scope}

    def _note_exception(self, error: BaseException, place: SourceLine | None) -> None:
        """Keep where an error first met the user's code, also when AutoGraph raises it again further out."""
        if place is None or isinstance(error, (StopIteration, GeneratorExit)):
            return
        known = self.failed_at[0] if self.failed_at is not None else None
        if known is None or known not in (error, error.__context__, error.__cause__):
            self.failed_at = (error, place)

    def _how_reached(self, frame: types.FrameType) -> AsIs:
        libraries: list[tuple[str, str]] = []
        caller: types.FrameType | None = frame.f_back
        while caller is not None and not self._is_watched(caller):
            libraries.append((caller.f_code.co_filename, caller.f_code.co_name))
            caller = caller.f_back
        return AsIs(
            code=frame.f_code,
            disabled=internals.conversion_is_disabled(),
            libraries=tuple(libraries),
            caller=self._code_of(caller) if caller is not None else None,
            call=self._stack[-1] if self._stack else None,
            place=self._origin(caller) if caller is not None else None,
        )

    def _is_watched(self, frame: types.FrameType) -> bool:
        return is_generated(frame.f_code.co_filename) or runs_users_code(frame)

    def _code_of(self, frame: types.FrameType) -> types.CodeType:
        path = frame.f_code.co_filename
        return self._origin_codes.get(path, frame.f_code) if is_generated(path) else frame.f_code


def _is_function_itself(frame: types.FrameType, code: types.CodeType | None) -> bool:
    """Whether a generated frame is the function, not one of the inner functions it is split into."""
    if code is None or code.co_name == "<lambda>":
        return frame.f_code.co_name == "<lambda>"
    return frame.f_code.co_name.startswith("tf__")


def _formatted(message: str, arguments: tuple[Any, ...]) -> str:
    try:
        return message % arguments if arguments else message
    except Exception:  # the log must not break what it watches
        return message


def _asking(frame: types.FrameType) -> types.FrameType:
    """The frame that made a call of AutoGraph's: our observer may listen in between."""
    while frame.f_globals.get("__name__", "").startswith("graphdoctor.") and frame.f_back is not None:
        frame = frame.f_back
    return frame
