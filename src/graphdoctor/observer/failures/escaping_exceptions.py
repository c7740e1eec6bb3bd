"""Hears of exceptions as they leave TensorFlow or Keras for the user's code; only failures pay for it.

TensorFlow and Keras clean the traceback of each exception that leaves a public function of theirs; and
what its runtime reports, TensorFlow turns into an exception in one place. Both are run by failures alone.
A model is saved inside a manager of its own, which hears of what ends that.
"""

import itertools
import sys
import types
from collections.abc import Callable, Iterator

from graphdoctor.observer import tensorflow_internals as internals
from graphdoctor.observer.instrumentation.importing import when_imported
from graphdoctor.observer.user_code.ownership import is_library

# What we speak of went through a graph, a tape, a pipeline; or through what runs a model in Keras.
GRAPH_WAYS = ("/polymorphic_function/", "/eager/backprop.py", internals.PIPELINE_FILES)
KERAS_WAYS = ("/keras/", "/tf_keras/")
CONVERTERS = "/lite/python/"
SAVING_WAYS = ("/saved_model/save.py", CONVERTERS)
RUNNING = {
    "__call__", "build", "fit", "evaluate", "predict", "train_on_batch", "test_on_batch", "predict_on_batch",
    "apply_gradients", "apply", "update_state", "adapt",
}  # fmt: skip
LISTED_FILES = 12

# What hears of it: the exception, the library files that it went through, the library's function that was
# called, and the frame that called it.
Heard = Callable[[BaseException, str, str, types.FrameType], None]


def hook_failures(heard: Heard) -> Callable[[], None]:
    """Call `heard` with each exception that leaves a graph, a tape, tf.data, a Keras model or its saving."""

    def cleaned(traceback: types.TracebackType | None, caller: types.FrameType | None) -> None:
        error = sys.exc_info()[1]
        # Inside a library others hear of it, or it is caught there.
        if error is not None and caller is not None and not is_library(caller.f_code.co_filename):
            frames = [frame.f_code for frame in _frames(traceback)]
            if any(map(_is_way, frames)):
                heard(error, _files(frames), frames[min(1, len(frames) - 1)].co_name, caller)

    def reported(error: BaseException) -> None:
        """An iterator of a dataset raises what its pipeline ran into; nobody cleans that."""
        inside, frame = _way_in()
        if frame is not None and any(internals.PIPELINE_FILES in code.co_filename for code in inside):
            heard(error, _files(inside), inside[0].co_name, frame)

    def ended_saving(error: BaseException) -> None:
        """A converter catches what ends saving, and goes another way."""
        inside, frame = _way_in()
        if frame is not None and not any(CONVERTERS in _path(code) for code in inside):
            heard(error, _files(inside), inside[0].co_name, frame)

    undoing = [internals.hook_runtime_errors(reported)]

    def hook(module: types.ModuleType) -> None:
        undoing.append(internals.hook_cleaning(module, cleaned))

    def hook_saving(module: types.ModuleType) -> None:
        undoing.append(internals.hook_saving_errors(module, ended_saving))

    for name in internals.CLEANING:
        undoing.append(when_imported(name, hook))
    undoing.append(when_imported(internals.SAVING, hook_saving))

    def undo() -> None:
        while undoing:
            undoing.pop()()

    return undo


def entered_files(traceback: types.TracebackType | None) -> str:
    """The files of Keras, or of what saves a model, that an exception came out of.

    Empty where the user's code called none of it.
    """
    frames = [frame.f_code for frame in _frames(traceback)]
    inside = list(itertools.takewhile(lambda code: is_library(code.co_filename), reversed(frames)))[::-1]
    called = _path(inside[0]) if len(inside) < len(frames) and inside else ""
    return _files(inside) if any(way in called for way in (*KERAS_WAYS, *SAVING_WAYS)) else ""


def _way_in() -> tuple[list[types.CodeType], types.FrameType | None]:
    """The library's code that is under way, outermost first, and the user's frame that called it."""
    inside: list[types.CodeType] = []
    frame: types.FrameType | None = sys._getframe(2)  # past the hook
    while frame is not None and is_library(frame.f_code.co_filename):
        inside.insert(0, frame.f_code)
        frame = frame.f_back
    return inside, frame


def _frames(traceback: types.TracebackType | None) -> Iterator[types.FrameType]:
    while traceback is not None:
        yield traceback.tb_frame
        traceback = traceback.tb_next


def _is_way(code: types.CodeType) -> bool:
    path = _path(code)
    if any(way in path for way in GRAPH_WAYS):
        return True
    return code.co_name in RUNNING and any(way in path for way in KERAS_WAYS)


def _path(code: types.CodeType) -> str:
    return code.co_filename.replace("\\", "/")


def _files(frames: list[types.CodeType]) -> str:
    files = [code.co_filename for code in frames if is_library(code.co_filename)]
    return " ".join(dict.fromkeys("/".join(path.split("/")[-2:]) for path in files[-LISTED_FILES:]))
