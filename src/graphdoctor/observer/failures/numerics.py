"""`run --numerics`: the first operation that gives infinity or NaN, on top of TensorFlow's own check.

TensorFlow's check raises InvalidArgumentError there, which the program would not have raised by itself:
that is what whoever asks for it wants. Functions with `jit_compile=True` cannot be checked so.
"""

import re
import sys
from typing import Any

from graphdoctor.observer import tensorflow_internals as internals
from graphdoctor.observer.instrumentation.importing import when_imported
from graphdoctor.observer.probe import Emit
from graphdoctor.observer.user_code.callsite import chain_at
from graphdoctor.observer.user_code.ownership import is_library
from graphdoctor.recording.format import Frame, NonFinite, Problem

FOUND = re.compile(r'Detected Infinity or NaN in output \d+ of (eagerly-executing|graph) op "([^"]+)"')
VALUES = re.compile(r"Tensor had (.+?) values")
FRAME = re.compile(r"^ *\+ (.+) \(L(\d+)\) (.+)$", re.MULTILINE)
GRAPH = re.compile(r'Graph name: "([^"]+)"')
INPUTS = re.compile(r"Input tensors?(?: \(\d+\))?:(.*?)(?:\n\n|\Z)", re.DOTALL)
LONGEST_PATH = 10_000
HIGHEST_STACK = 200


def observe_numerics(emit: Emit) -> None:
    """Check every operation from the import of TensorFlow on; put the first finding into the recording."""
    reported: list[bool] = []

    def tell(message: str) -> None:
        try:
            event = describe(message)
            if event is not None and not reported:
                reported.append(True)
                emit(event)
        except Exception as error:
            emit(Problem(message=f"--numerics: {type(error).__name__}: {error}"[:500]))

    def start(tensorflow: Any) -> None:
        try:
            internals.hook_runtime_errors(lambda error: tell(str(error)))  # in eager code
            internals.hook_graph_errors(lambda error: tell(str(getattr(error, "message", ""))))
            tensorflow.debugging.enable_check_numerics(HIGHEST_STACK, LONGEST_PATH)
        except Exception as error:
            emit(Problem(message=f"Cannot check numerics of this TensorFlow: {error}"))

    when_imported("tensorflow", start)


def describe(message: str) -> NonFinite | None:
    """The event for an error of TensorFlow's check; None for any other error."""
    found = FOUND.search(message)
    if found is None:
        return None
    values = VALUES.search(message)
    graph = GRAPH.search(message)
    inputs = INPUTS.search(message)
    in_graph = found[1] == "graph"
    return NonFinite(
        operation=found[2],
        values=values[1] if values else "Inf or NaN",
        chain=_chain_in(message) if in_graph else _chain_here(),
        graph=graph[1] if graph else "",
        incoming=bool(not in_graph and inputs and re.search(r"\b(nan|inf)\b", inputs[1])),
    )


def _chain_in(message: str) -> tuple[Frame, ...]:
    frames = [frame for frame in FRAME.findall(message) if not is_library(frame[0])]
    if not frames:
        return ()
    path, line, function = frames[-1]
    return chain_at(path, int(line), function)


def _chain_here() -> tuple[Frame, ...]:
    frame: Any = sys._getframe(1)
    while frame is not None and is_library(frame.f_code.co_filename):
        frame = frame.f_back
    if frame is None:
        return ()
    return chain_at(frame.f_code.co_filename, frame.f_lineno, frame.f_code.co_name)
