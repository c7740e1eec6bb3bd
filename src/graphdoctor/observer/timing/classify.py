"""A stack of Python frames → the phase that it belongs to, and the user's line."""

import types
from typing import NamedTuple

from graphdoctor.observer.instrumentation import importing
from graphdoctor.observer.timing.tensorflow_internals import phase_of_code
from graphdoctor.observer.user_code.callsite import WRAPPERS
from graphdoctor.observer.user_code.ownership import OWN_PACKAGE, is_library
from graphdoctor.recording.format import (
    BUILDING,
    CALLBACKS,
    EAGER_OPERATIONS,
    IMPORT,
    OBSERVER,
    OTHER_PYTHON,
    SAVING,
    TRACING,
)

# A phase that owns all that happens inside it, and which of two wins: the one that comes first.
CONTAINERS = (SAVING, CALLBACKS, BUILDING, TRACING, IMPORT)
USER = "the user's"
WAITING = "waiting"
# What Python runs while a thread waits for another one.
WAITERS = ("/threading.py", "/queue.py", "/selectors.py", "/concurrent/futures/", "/multiprocessing/")
# A wrapper of TensorFlow's or Keras' that runs itself takes apart what its function leaves: after `fit`, the
# iterators of its input, which may wait for their threads.
LEAVING = "return"
# A class body and a module run once, when they are imported.
NEW_LOCALS = 0x2


class Line(NamedTuple):
    """A line of the user's; `entered` is the library function that it called."""

    path: str
    line: int
    function: str
    entered: str = ""


class Sample(NamedTuple):
    """What one look at a thread tells; `waits`: it waits for another thread."""

    phase: str
    line: Line | None
    waits: bool = False


# By the identity of a code object: its file and first line guard against another one with the same.
_kinds: dict[int, tuple[str, int, str | None]] = {}


def _kind_of(code: types.CodeType) -> str | None:
    known = _kinds.get(id(code))
    if known is not None and known[0] is code.co_filename and known[1] == code.co_firstlineno:
        return known[2]
    kind = _classify(code)
    _kinds[id(code)] = (code.co_filename, code.co_firstlineno, kind)
    return kind


def _classify(code: types.CodeType) -> str | None:
    """What one function is: a phase, the user's, one that waits, or nothing in particular."""
    path, name = code.co_filename, code.co_name
    if name in WRAPPERS and is_library(path):
        return None
    if path.startswith("<frozen importlib"):
        return IMPORT if name == "_find_and_load" else None
    if path.startswith(OWN_PACKAGE):
        return None if path == importing.__file__ else OBSERVER  # ours stands around the imports of others
    if not is_library(path) and not path.startswith("<"):
        return USER
    if not code.co_flags & NEW_LOCALS:
        return None
    if any(waiter in path for waiter in WAITERS):
        return WAITING
    return phase_of_code(path, name)


def classify(frame: types.FrameType | None) -> Sample:
    """The phase and the user's innermost line of a stack, given by its innermost frame."""
    leaf: str | None = None
    container: str | None = None
    line: Line | None = None
    entered, waits, innermost, in_user_import = "", False, True, False
    if frame is not None and frame.f_code.co_name in WRAPPERS and is_library(frame.f_code.co_filename):
        entered = LEAVING
    while frame is not None:
        code = frame.f_code
        kind = _kind_of(code)
        if kind == USER:
            if line is None:
                line = Line(code.co_filename, frame.f_lineno, code.co_name, entered)
        else:
            if line is None:
                if kind != OBSERVER and code.co_name not in WRAPPERS:  # the outermost one is what was called
                    entered = code.co_name
                leaf = _leaf(leaf, kind)
                waits = waits or (innermost and kind == WAITING)
            if kind in CONTAINERS:
                if kind == IMPORT and line is not None and leaf is not None and container is None:
                    in_user_import = True  # a module of the user's trains while it is imported
                elif container is None or CONTAINERS.index(kind) < CONTAINERS.index(container):
                    container = kind
        innermost = False
        frame = frame.f_back
    if leaf == OBSERVER:
        return Sample(OBSERVER, line, waits)
    if container is not None and not (container == IMPORT and in_user_import):
        return Sample(container, line, waits)
    return Sample(leaf or OTHER_PYTHON, line, waits)


def _leaf(leaf: str | None, kind: str | None) -> str | None:
    """The more telling of what is known and what the next outer frame tells."""
    if kind is None or kind == WAITING or kind in CONTAINERS:
        return leaf
    if leaf is None or leaf == OTHER_PYTHON or (leaf == EAGER_OPERATIONS and kind != OTHER_PYTHON):
        return kind
    return leaf
