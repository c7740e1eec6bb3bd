"""Exceptions → what they say, at which of the user's lines they arose, and what stood there."""

import collections
import dataclasses
import re
import sys
import threading
import traceback
import types
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

from graphdoctor.observer import tensorflow_internals as internals
from graphdoctor.observer.failures.eager_trial import try_eagerly
from graphdoctor.observer.failures.escaping_exceptions import entered_files, hook_failures
from graphdoctor.observer.failures.loop_variables import carried_numbers
from graphdoctor.observer.instrumentation.hooks import describe_fault
from graphdoctor.observer.instrumentation.replacing import replaced
from graphdoctor.observer.objects.operands import loaded_values, operands
from graphdoctor.observer.probe import Emit, Event, Probe
from graphdoctor.observer.user_code.callsite import chain_of
from graphdoctor.observer.user_code.ownership import GENERATED_FILE, is_library
from graphdoctor.recording.format import Definition, Failure, Frame, Problem

FRAME = re.compile(r'File "([^"]+)", line (\d+), in (\S*)(\s+\*\*)?')
# What AutoGraph raises for an exception that it cannot make again, and the line in which it names that.
REPORT, REPORTED = "StagingError", re.compile(r"^\n\s+(\w+): ", re.MULTILINE)
# TensorFlow's runtime tells where the operation that failed was made.
MADE_HERE = "Detected at node"
# The nodes of a graph that an error names in a paragraph of their own.
MARKS = re.compile(r"\[\[.*?\]\]|\[Op:[^\]]*\]")
NODES = re.compile(
    r"\{\{function_node [^}]*\}\} ?|\x1b\[\d*m|\s*\[Op:\w+\].*|, device=\"[^\"]*\", container=\"[^\"]*\""
)
LONGEST_MESSAGE = 600
MOST_FAILURES = 100  # outside of traces; and of those that say the same
MOST_OF_A_KIND = 3
LAST_OPERATIONS = 3
# What the program goes on after by design.
ENDINGS = ("StopIteration", "StopAsyncIteration", "OutOfRangeError")


class ErrorProbe(Probe):
    """Tells of each exception that ends a trace, that leaves TensorFlow or Keras, or ends the program."""

    def __init__(self, emit: Emit | None = None) -> None:
        self._emit = emit
        self._reported: collections.Counter[object] = collections.Counter()
        self._undo: list[Callable[[], None]] = []
        self._in_traces: set[str] = set()  # what they say
        if emit is not None:
            self.resumed()

    def ended(self, event: Event, graph: Any, error: BaseException | None) -> None:
        if error is not None and not internals.is_handled(error):
            own = None if event["library"] else event["function"]
            failure = describe_error(
                error, trace=event["number"], function=own, around=chain_of(internals.stack())
            )
            made = tuple(one.type for one in graph.get_operations()[-LAST_OPERATIONS:]) if graph else ()
            event["failure"] = dataclasses.replace(failure, made=made)
            self._in_traces.add(failure.text)

    def resumed(self) -> None:
        if self._emit is not None and not self._undo:
            self._guarded(self._hook)()

    def _hook(self) -> None:
        self._undo.append(_hook_threads(self._guarded(self._ended)))
        if sys.version_info >= (3, 13):  # before, it is under way when the worker's recording ends
            self._undo.append(_hook_workers(self._guarded(self._ended)))
        self._undo.append(hook_failures(self._guarded(self._left_library)))

    def paused(self) -> None:
        while self._undo:
            self._undo.pop()()

    def closing(self) -> Iterator[Failure]:
        """The exception that ended the program, or is about to end this process, and what led to it."""
        error = getattr(sys, "last_value", None) or _ends_worker()
        for one in _with_causes(error):
            failure = describe_error(one, through=entered_files(one.__traceback__))
            yield dataclasses.replace(failure, eagerly=self._tried(one, failure))

    def _tried(self, error: BaseException, failure: Failure) -> str:
        """What the line did in eager execution; the program is over, nothing of it is run again."""
        innermost = _innermost(error)
        if innermost is None or failure.place is None or failure.text not in self._in_traces:
            return ""
        return try_eagerly(innermost[0], failure.place.path, failure.place.line)

    def _left_library(
        self, error: BaseException, through: str, entered: str, caller: types.FrameType
    ) -> None:
        """The program catches it or ends with it; then we hear of it again."""
        if type(error).__name__ not in ENDINGS and not internals.is_tracing():
            around = chain_of(traceback.extract_stack(caller))
            around = (*around[:-1], dataclasses.replace(around[-1], entered=entered))
            self._tell(describe_error(error, around=around, through=through, caught=True))

    def _ended(self, error: BaseException) -> None:
        for one in _with_causes(error):
            self._tell(describe_error(one, through=entered_files(one.__traceback__)))

    def _tell(self, failure: Failure) -> None:
        kind = (failure.type, failure.text, failure.place, failure.caught)
        self._reported[kind] += 1
        if (
            self._emit
            and self._undo
            and self._reported[kind] <= MOST_OF_A_KIND
            and len(self._reported) <= MOST_FAILURES
        ):
            self._emit(failure)

    def _guarded(self, action: Callable[..., None]) -> Callable[..., None]:
        """A fault of ours is noted, and the program's exception goes its way."""

        def guarded(*arguments: Any) -> None:
            try:
                action(*arguments)
            except Exception as fault:
                if self._emit is not None:
                    self._emit(Problem(message=describe_fault(action, fault)))

        return guarded


def _hook_threads(heard: Callable[[BaseException], None]) -> Callable[[], None]:
    """Hear of the exceptions that end threads; what the program has put there goes on as before."""
    before = threading.excepthook

    def excepthook(arguments: Any) -> Any:
        if isinstance(arguments.exc_value, Exception):
            heard(arguments.exc_value)
        return before(arguments)

    return replaced(threading, "excepthook", excepthook)


def _hook_workers(heard: Callable[[BaseException], None]) -> Callable[[], None]:
    """Hear of the exceptions that end processes of `multiprocessing`, when it shows them."""
    before = traceback.print_exc

    def print_exc(*arguments: Any, **options: Any) -> Any:
        error, caller = sys.exc_info()[1], sys._getframe(1)
        if error is not None and caller.f_globals.get("__name__") == "multiprocessing.process":
            heard(error)
        return before(*arguments, **options)

    return replaced(traceback, "print_exc", print_exc)


def _ends_worker() -> BaseException | None:
    """What ends a process of `multiprocessing`, which up to Python 3.12 leaves while it is under way."""
    processes = sys.modules.get("multiprocessing.process")
    is_worker = processes is not None and processes.parent_process() is not None
    return sys.exc_info()[1] if is_worker else None


def _with_causes(error: BaseException | None) -> Iterator[BaseException]:
    """What led to an exception, the first cause first, and the exception itself."""
    found: list[BaseException] = []
    while isinstance(error, Exception) and error not in found:
        found.append(error)
        error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    return reversed(found)


class _Raised(NamedTuple):
    """A frame that an exception went through, as Python's traceback and AutoGraph's report have it."""

    filename: str
    lineno: int
    name: str
    unconverted: bool = False


def describe_error(
    error: BaseException,
    *,
    trace: int = 0,
    function: Definition | None = None,
    around: tuple[Frame, ...] = (),
    through: str = "",
    caught: bool = False,
) -> Failure:
    """The type, the essential words, and the user's frames: those `around`, then those it went through."""
    text = str(error)
    name = _type_name(error, text)
    listed = list(_listed(text))
    raised = [_Raised(f.filename, f.lineno or 0, f.name) for f in traceback.extract_tb(error.__traceback__)]
    inside = chain_of([*_before(listed, raised), *listed])
    if MADE_HERE in text and listed:
        around, inside = (), chain_of(listed)
    elif around and inside and around[-1].place == inside[0].place:  # what calls the library stands in both
        inside = inside[1:]
    innermost = _innermost(error)
    frames = (frame for frame, _ in _went_through(error))
    return Failure(
        type=name,
        text=_essence(text, name)[:LONGEST_MESSAGE],
        trace=trace,
        function=function,
        chain=(*around, *inside),
        through=_libraries(listed) or through,
        values=operands(*innermost) if innermost is not None else (),
        carried=carried_numbers(frames, loaded_values(*innermost)) if trace and innermost is not None else (),
        converted=_is_converted(listed) if trace else None,
        caught=caught,
    )


def _before(listed: list[_Raised], raised: list[_Raised]) -> list[_Raised]:
    """The frames of a traceback that come before those of a report: it lists again what was not converted."""
    places = {(frame.filename, frame.lineno) for frame in listed}
    end = len(raised)
    for index in reversed(range(len(raised))):
        if is_library(raised[index].filename):
            continue
        if (raised[index].filename, raised[index].lineno) not in places:
            break
        end = index
    return raised[:end]


def _type_name(error: BaseException, text: str) -> str:
    """The exception's type; where AutoGraph can make none of the same type, the one that its report names."""
    name = type(error).__name__.removeprefix("MultilineMessage")
    if name != REPORT:
        return name
    return next((named for named in REPORTED.findall(text) if named != REPORT), name)


def _essence(text: str, name: str) -> str:
    """What AutoGraph wraps in a report of its own: what follows the last `ValueError: ` of a line."""
    text = NODES.sub("", text)
    if MADE_HERE in text:  # a stack, then the words
        *_, text = (paragraph for paragraph in text.split("\n\n") if MARKS.sub("", paragraph).strip())
    begins = list(re.finditer(rf"^\s*{re.escape(name)}: ", text, re.MULTILINE))
    if "in user code:" in text and begins:
        text = text[begins[-1].end() :]
    if name == "KeyError":
        text = NODES.sub("", _unquoted(text.strip()))
    head, definition, rest = text.strip().partition(" was defined here:")
    # TensorFlow puts a whole stack between what happened and why.
    return f"{head} … {rest.strip().splitlines()[-1].strip()}" if definition and rest.strip() else head


def _unquoted(text: str) -> str:
    """The words of a KeyError, which shows them as a literal; a key stays one."""
    words = text[1:-1].replace("\\n", "\n").replace("\\x1b", "\x1b")
    return words if "\n" in words and text[:1] == text[-1:] and text[0] in "'\"" else text


def _libraries(listed: list[_Raised]) -> str:
    """The library files that AutoGraph lists, such as an optimizer's or a layer's, shortened."""
    files = [frame.filename for frame in listed if is_library(frame.filename)]
    return " ".join(dict.fromkeys("/".join(path.split("/")[-2:]) for path in files[-12:]))


def _listed(text: str) -> Iterator[_Raised]:
    """AutoGraph and the runtime list frames; TensorFlow may append where a tensor was made."""
    if "in user code:" in text or MADE_HERE in text:
        for path, line, function, mark in FRAME.findall(text.partition(" was defined here:")[0]):
            yield _Raised(path, int(line), function, unconverted=bool(mark))


def _is_converted(listed: Iterable[_Raised]) -> bool:
    """Whether AutoGraph had converted the user's code that failed: it marks where that ends."""
    converted = False
    for frame in listed:
        if frame.unconverted:
            return False
        converted = converted or not is_library(frame.filename)
    return converted


def _innermost(error: BaseException) -> tuple[types.FrameType, int] | None:
    """The user's innermost line; AutoGraph raises its report in place of the exception."""
    innermost: tuple[types.FrameType, int] | None = None
    for frame, line in _went_through(error):
        path = frame.f_code.co_filename
        if GENERATED_FILE in path or not is_library(path):
            innermost = frame, line
    return innermost


def _went_through(error: BaseException) -> Iterator[tuple[types.FrameType, int]]:
    raised: BaseException | None = error
    while raised is not None:
        yield from traceback.walk_tb(raised.__traceback__)
        raised = raised.__cause__ or raised.__context__
