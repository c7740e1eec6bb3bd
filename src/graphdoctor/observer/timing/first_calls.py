"""What the first call of a new graph takes more than the next ones: graph optimisation, and XLA."""

import functools
import threading
import types
from collections.abc import Callable
from typing import Any

from graphdoctor.observer import tensorflow_internals as tensorflow
from graphdoctor.observer.timing import tensorflow_internals as internals
from graphdoctor.observer.timing.clocks import Clocks
from graphdoctor.observer.timing.graph_calls import GraphCalls
from graphdoctor.observer.user_code.callsite import call_site, nearest_frames
from graphdoctor.recording.format import COMPILING, GRAPH_EXECUTION, TRACING, Phase

WATCHED_CALLS = 3


class FirstCalls:
    """Hears of every trace: times it, and the first calls of its graph; a listener of `hooks`."""

    def __init__(
        self,
        clocks: Clocks,
        zero: float,
        emit: Callable[[Any], None],
        number: Callable[[], int],
        calls: GraphCalls,
    ) -> None:
        self._clocks, self._zero, self._emit, self._number = clocks, zero, emit, number
        self._calls = calls

    def objection(self, function_type: Any, options: Any) -> Exception | None:
        """It objects to nothing."""

    def begin(self, function_type: Any, options: Any) -> bool:
        """A trace begins; whether its thread is the one that is timed."""
        timed = threading.get_ident() == self._clocks.thread
        if timed:
            self._calls.trace_begins(tensorflow.code_of(tensorflow.user_function(options)))
            self._clocks.enter(TRACING)
        return timed

    def end(self, begun: Any, graph: Any, error: BaseException | None, concrete: Any) -> None:
        """The trace ended: the first calls of its graph are to come."""
        if begun:
            self._clocks.leave()
        # A graph that pulls its input waits for it at its first call, too: that is no compilation.
        if not begun or concrete is None or not self._clocks.is_idle or internals.is_watched(concrete):
            return
        if not internals.pulls_input(concrete):
            at, chain = self._clocks.clock(), call_site(nearest_frames())
            report = functools.partial(self._report, chain=chain, begun=at, trace=self._number())
            internals.time_first_calls(concrete, self._clocks.clock, report, WATCHED_CALLS)

    def _report(self, taken: list[float], chain: Any, begun: float, trace: int) -> None:
        over = taken[0] - min(taken[1:])
        if over > 0:
            self._emit(
                Phase(
                    phase=COMPILING,
                    of=GRAPH_EXECUTION,
                    seconds=round(over, 6),
                    chain=chain,
                    start=round(begun - self._zero, 6),
                    span=round(taken[0], 6),
                    trace=trace,
                )
            )

    def asked_for(self, function_type: Any) -> None:
        """Of no interest here."""

    def called_with_tracing(self, code: Any, forgotten: int) -> None:
        """A call that traced is over."""
        if isinstance(code, types.CodeType):
            self._calls.traced_call_ends(code, forgotten)

    def made(self, concrete: Any) -> None:
        """Of no interest here."""

    def problem(self, message: str) -> None:
        """The recorder says the same."""
