"""Sees traces that Keras' automatic build makes: they hold initial values in place of weights."""

import collections
import dataclasses
from collections.abc import Callable
from typing import Any

from graphdoctor.observer import tensorflow_internals as internals
from graphdoctor.observer.instrumentation.hooks import describe_fault
from graphdoctor.observer.instrumentation.threads import OwnList
from graphdoctor.observer.probe import Emit, Event, Probe
from graphdoctor.observer.user_code.callsite import chain_of
from graphdoctor.recording.format import INITIAL_VALUES, Applied, Frame, Problem

MOST_PLACES = 20
MOST_NAMES = 12

# By line of the user's, the weights that were read there, by name and whether they are trained.
Reads = dict[tuple[Frame, ...], dict[str, bool]]


@dataclasses.dataclass
class _Traced:
    """A trace under way that an automatic build began."""

    number: int
    layers: list[str]
    stop: Callable[[], None]
    reads: Reads = dataclasses.field(default_factory=lambda: collections.defaultdict(dict))


class InitialValuesProbe(Probe):
    """Listens to variables only while a function is traced inside an automatic build of Keras 3."""

    def __init__(self, emit: Emit) -> None:
        self._emit = emit
        self._own: OwnList[_Traced] = OwnList()
        self._faults = 0

    def begun(self, event: Event, function: Any, options: Any) -> None:
        if internals.is_building():
            stop = internals.hook_missing_values(self._read)
            self._own.items.append(_Traced(event["number"], internals.layers_being_built(), stop))

    def ended(self, event: Event, graph: Any, error: BaseException | None) -> None:
        traces = self._own.items
        while traces and traces[-1].number >= event["number"]:
            traced = traces.pop()
            traced.stop()
            if traced.number == event["number"] and error is None:
                for chain, weights in list(traced.reads.items())[:MOST_PLACES]:
                    self._emit(_event(traced, chain, weights))

    def _read(self, variable: Any) -> None:
        try:
            if self._own.items:
                weights = self._own.items[-1].reads[chain_of(internals.stack())]
                weights[str(variable.path or variable.name)] = bool(variable.trainable)
        except Exception as error:
            self._faults += 1
            if self._faults == 1:
                self._emit(Problem(message=describe_fault(self._read, error)))


def _event(traced: _Traced, chain: tuple[Frame, ...], weights: dict[str, bool]) -> Applied:
    names = sorted(weights)
    more = len(names) - MOST_NAMES
    return Applied(
        what=INITIAL_VALUES,
        object=0,
        trace=traced.number,
        chain=chain,
        options={
            "weights": ", ".join(names[:MOST_NAMES]),
            "more": str(max(0, more)),
            "trainable": str(sum(weights.values())),
            "layers": ", ".join(dict.fromkeys(traced.layers)),
        },
    )
