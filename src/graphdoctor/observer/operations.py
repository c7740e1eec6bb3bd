"""Which of the user's lines the operations of a graph come from."""

from collections import Counter
from typing import Any

from graphdoctor.observer.callsite import is_library
from graphdoctor.observer.probe import Event, Probe
from graphdoctor.recording.format import Line

SMALLEST_GRAPH = 200
SHOWN_LINES = 20


class OperationsProbe(Probe):
    """Adds the lines that made most operations, for graphs that are not small, and for all of Keras'.

    A graph of Keras' is made by a function of its own; these lines tell which code of the user's ran.
    """

    def ended(self, event: Event, graph: Any, error: BaseException | None) -> None:
        operations = graph.get_operations()
        if len(operations) < SMALLEST_GRAPH and event.get("origin") != "keras":
            return
        places = Counter(_user_line(operation) for operation in operations)
        del places[None]
        event["lines"] = tuple(
            Line(path=place[0], line=place[1], operations=count)
            for place, count in places.most_common(SHOWN_LINES)
            if place is not None
        )


def _user_line(operation: Any) -> tuple[str, int] | None:
    """The innermost frame of the user's own code; TensorFlow has left out its own frames already."""
    for frame in reversed(operation.traceback.get_user_frames()):
        if not is_library(frame.filename):
            return frame.filename, frame.lineno
    return None
