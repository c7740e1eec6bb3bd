"""XLA compiles once for each shape, behind one trace; this sees it happen."""

import time
from collections.abc import Callable, Iterator
from typing import Any

from graphdoctor.observer import tensorflow_internals as internals
from graphdoctor.observer.probe import Event, Probe
from graphdoctor.observer.user_code.callsite import call_site, nearest_frames
from graphdoctor.recording.format import Compilations, CompiledShape, Frame

MOST_SHAPES = 1000


class CompilationsProbe(Probe):
    """Times the first call for each concrete shape of functions with `jit_compile` and unknown dimensions.

    These functions alone pay for a look at each call; all others are not touched.
    """

    def __init__(self, clock: Callable[[], float] = time.perf_counter) -> None:
        self._clock = clock
        self._seen: dict[int, dict[str, list[float]]] = {}
        self._chains: dict[int, tuple[Frame, ...]] = {}

    def created(self, event: Event, concrete: Any) -> None:
        if "jit_compile" in event["options"] and internals.has_unknown_dimensions(concrete):
            shapes = self._seen.setdefault(event["number"], {})
            internals.watch_calls(concrete, self._watcher(shapes, event["number"]))

    def _watcher(self, shapes: dict[str, list[float]], number: int) -> Callable[..., Any]:
        clock, chains = self._clock, self._chains

        def watch(call: Callable[..., Any], inputs: Any) -> Any:
            key = internals.concrete_shapes(inputs)
            if key is None or (key not in shapes and len(shapes) >= MOST_SHAPES):
                return call()
            if number not in chains:
                chains[number] = call_site(nearest_frames())
            begun = clock()
            result = call()
            seconds = clock() - begun
            known = shapes.setdefault(key, [seconds, seconds, 0])
            known[1] = min(known[1], seconds)
            known[2] += 1
            return result

        return watch

    def closing(self) -> Iterator[Compilations]:
        for number, shapes in self._seen.items():
            if shapes:
                yield Compilations(
                    trace=number,
                    chain=self._chains.get(number, ()),
                    shapes=tuple(
                        CompiledShape(shapes=key, first_seconds=first, best_seconds=best, calls=int(calls))
                        for key, (first, best, calls) in shapes.items()
                    ),
                )
