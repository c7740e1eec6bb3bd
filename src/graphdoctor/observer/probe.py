"""What looks at each trace: one concern, one probe."""

import types
from collections.abc import Callable, Iterator
from typing import Any

from graphdoctor.observer.graphs.fingerprint import fingerprint
from graphdoctor.observer.objects.identities import Identities
from graphdoctor.observer.user_code.keras_steps import step_of
from graphdoctor.recording.format import AnyEvent

Event = dict[str, Any]  # the fields of the Trace that is under way
Emit = Callable[[AnyEvent], None]


class Probe:
    """Hears of every trace and may add to its event. A probe that raises is noted, and the rest go on.

    A probe keeps no strong reference to anything of the program's.
    """

    def begun(self, event: Event, function: Any, options: Any) -> None:
        """A trace of `function` (the user's, unwrapped) is about to begin."""

    def ended(self, event: Event, graph: Any, error: BaseException | None) -> None:
        """The trace ended; `graph` is its FuncGraph, half-made when it failed."""

    def created(self, event: Event, concrete: Any) -> None:
        """The trace ended well; `concrete` is the ConcreteFunction that will run it."""

    def paused(self) -> None:
        """Nobody listens for a while: stay off the path of the program's calls."""

    def resumed(self) -> None:
        """Somebody listens again."""

    def closing(self) -> Iterator[AnyEvent]:
        """Events to write at the end of the run."""
        yield from ()


class OriginProbe(Probe):
    """Whose function it is: the program's own, one given to a dataset, Keras', or another library's."""

    def __init__(self) -> None:
        self._objects = Identities()

    def begun(self, event: Event, function: Any, options: Any) -> None:
        path = event["function"].path
        keras = "/keras/" in path or "/tf_keras/" in path
        if "_tf_data_function" in (options.attributes or {}):
            event["origin"] = "dataset"
        elif keras:
            event["origin"] = "keras"
        step = step_of(function) if keras and isinstance(function, types.FunctionType) else None
        if step is not None:
            event["model"], event["step"] = self._objects.number(step[0]), step[1]
        event["definition"] = (
            self._objects.number(getattr(function, "__func__", function)),
            self._objects.number(getattr(function, "__self__", function)),
        )


def serves_pipeline(event: Event) -> bool:
    """Whether a library made this function for a dataset: small, gone with it, and a few at each `fit`."""
    return event["library"] and event.get("origin") == "dataset"


class GraphProbe(Probe):
    """Size of the graph, and the digest that proves two graphs equal up to constants."""

    def ended(self, event: Event, graph: Any, error: BaseException | None) -> None:
        event["operations"] = len(graph.get_operations())
        if error is None:
            inputs = all(one.type == "Placeholder" for one in graph.get_operations())
            event["empty"] = inputs and not graph.outputs
        if error is None and not serves_pipeline(event):
            event["fingerprint"], event["graph_bytes"] = fingerprint(graph)


def default_probes() -> list[Probe]:
    """What `graphdoctor run` looks at."""
    from graphdoctor.observer.graphs.compilations import CompilationsProbe
    from graphdoctor.observer.process.memory import MemoryProbe

    return [
        OriginProbe(),
        GraphProbe(),
        CompilationsProbe(),
        MemoryProbe(),
    ]
