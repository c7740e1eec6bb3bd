"""What Python does while a function is traced, seen where AutoGraph's code makes its calls."""

import dataclasses
import re
from typing import Any

from graphdoctor.observer import tensorflow_internals as internals
from graphdoctor.observer.captured_state.outer_containers import outer_containers
from graphdoctor.observer.effects.changes import changes, possible_changes
from graphdoctor.observer.effects.effect_names import Done, has_own_state, what_it_does
from graphdoctor.observer.effects.printed_output import StreamWatch
from graphdoctor.observer.effects.random_draws import drawn, possible_draws
from graphdoctor.observer.instrumentation.hooks import describe_fault
from graphdoctor.observer.instrumentation.threads import OwnList
from graphdoctor.observer.objects import peek
from graphdoctor.observer.objects.operands import describe_operand
from graphdoctor.observer.probe import Emit, Event, Probe
from graphdoctor.observer.user_code.callsite import chain_of
from graphdoctor.observer.user_code.ownership import OWN_PACKAGE, is_library
from graphdoctor.observer.user_code.reached_functions import Reached, reach_of
from graphdoctor.observer.user_code.source_lines import real_line
from graphdoctor.recording.format import Effect, Frame, Place, Problem, Value

MOST_EFFECTS = 50  # of one trace
MOST_VALUES = 4
ONCE = {"__init__", "build", "setup", "reset_states", "__post_init__"}
BETWEEN = (internals.FILES, OWN_PACKAGE)
LOGGING, LOGGING_DEPTH = ("/logging/__init__.py", "/absl/logging/"), 12
# What a stream gets of `print(x.shape)`.
SHAPE = re.compile(r"\s*\((None|\d+|[, ])*\)\s*")
SHOWING = ("print", "log", "write")
CHANGING = ("append", "item", "attribute", "global")


class _Tracing:
    """A trace under way: what it has reported, and what belongs to it or was there before."""

    def __init__(self, event: Event, functions: list[Reached]) -> None:
        self.number = event["number"]
        self.first_line = event["function"].line
        self.containers = outer_containers(functions)  # by identity: they live as long as what reads them
        self.draws = possible_draws(functions)
        self.changes = possible_changes(functions)
        self.printed: dict[tuple[str, tuple[Frame, ...]], list[str]] = {}
        self.made: set[int] = set()
        self.reported: set[tuple[str, str, Place]] = set()

    def reported_places(self, *kinds: str) -> set[tuple[str, int]]:
        """The lines of which an effect of one of these kinds is reported already."""
        return {(place.path, place.line) for what, _, place in self.reported if what in kinds}


class EffectsProbe(Probe):
    """Hears each call of converted code; tells those that later calls will not repeat."""

    def __init__(self, emit: Emit) -> None:
        self._emit = emit
        self._own: OwnList[_Tracing] = OwnList()
        self._streams = StreamWatch(self._wrote)
        self._undo: Any = None
        self._faults = 0

    def begun(self, event: Event, function: Any, options: Any) -> None:
        if self._undo is None:  # AutoGraph is not there before TensorFlow is imported
            self._undo = internals.hook_converted_calls(self._called, self._returned)
        self._running().append(_Tracing(event, reach_of(event, function)))
        self._streams.begin()

    def ended(self, event: Event, graph: Any, error: BaseException | None) -> None:
        running = self._running()
        while running:
            tracing = running.pop()
            self._streams.end()
            if tracing.number == event["number"]:
                self._tell_rest(tracing, running[-1] if running else None)
                return

    def paused(self) -> None:
        undo, self._undo = self._undo, None
        if undo is not None:
            undo()

    def _running(self) -> list[_Tracing]:
        return self._own.items

    def _called(self, function: Any, arguments: Any, options: Any) -> None:
        running = self._running()
        if not running or not internals.is_tracing():
            return
        try:
            done = what_it_does(function, arguments, options or {})
            if done is not None:
                self._tell(running[-1], done, arguments)
        except Exception as error:
            self._fault(error)

    def _returned(self, result: Any) -> None:
        running = self._running()
        if running and has_own_state(result):
            running[-1].made.add(id(result))

    def _wrote(self, text: Any) -> None:
        """Something was written to a stream; by whom, the stack tells."""
        running = self._running()
        if not running or not isinstance(text, str) or not text.strip() or not internals.is_tracing():
            return
        try:
            frames = internals.stack()
            logged = any(mark in frame.filename for frame in frames[-LOGGING_DEPTH:] for mark in LOGGING)
            if not _called_by_user(frames, (*BETWEEN, *LOGGING)):
                return
            chain = _with_real_line(chain_of(frames), running[-1].first_line)
            if chain:
                running[-1].printed.setdefault(("log" if logged else "print", chain), []).append(text)
        except Exception as error:
            self._fault(error)

    def _tell_rest(self, tracing: _Tracing, around: _Tracing | None) -> None:
        """What nobody heard: what was written, drawn and changed."""
        for (what, chain), texts in tracing.printed.items():
            place = chain[-1].place
            if (place.path, place.line) not in tracing.reported_places(*SHOWING):
                tracing.reported.add((what, what, place))
                shows, once = _shows(texts), _is_once(chain)
                self._emit(
                    Effect(trace=tracing.number, chain=chain, what=what, name=what, once=once, shows=shows)
                )
        effect = drawn(tracing.draws, tracing.reported_places("random"), tracing.number)
        if effect is not None:
            self._emit(effect)
        for effect in changes(tracing.changes, tracing.reported_places(*CHANGING), tracing.number):
            tracing.reported.add((effect.what, effect.name, effect.chain[-1].place))
            self._emit(effect)
        if around is not None:  # its own look at what changed would find the same again
            around.reported |= tracing.reported

    def _tell(self, tracing: _Tracing, done: Done, arguments: Any) -> None:
        if done.owner is not None and id(done.owner) in tracing.made:
            return
        state = tracing.containers.get(id(done.owner)) if done.what == "append" else None
        if done.what == "append" and state is None:
            return
        frames = internals.stack()
        if not _called_by_user(frames):
            return
        chain = _with_real_line(chain_of(frames), tracing.first_line)
        if not chain:
            return
        once = (done.what, done.name, chain[-1].place)
        if once in tracing.reported or len(tracing.reported) >= MOST_EFFECTS:
            return
        tracing.reported.add(once)
        values = tuple(map(_described, arguments[:MOST_VALUES]))
        self._emit(
            Effect(
                trace=tracing.number,
                chain=chain,
                what=done.what,
                name=state.name if state is not None else done.name,
                values=values,
                state=state,
                once=_is_once(chain),
                shows=_shows(arguments) if done.what in SHOWING or state is not None else "",
            )
        )

    def _fault(self, error: Exception) -> None:
        self._faults += 1
        if self._faults == 1:
            self._emit(Problem(message=describe_fault(self._called, error)))


def _called_by_user(frames: list[Any], between: tuple[str, ...] = BETWEEN) -> bool:
    """Whether the user's own code makes the call, and not a library's that AutoGraph converted too."""
    for frame in reversed(frames):
        path = frame.filename.replace("\\", "/")
        if not any(part in path for part in between):
            return not is_library(path)
    return False


def _with_real_line(chain: tuple[Frame, ...], decorated: int) -> tuple[Frame, ...]:
    """The chain as it is; empty where nobody can tell the line."""
    *calls, last = chain
    line = real_line(last.place.path, last.function, last.place.line, decorated)
    if line is None:
        return ()
    return (*calls, dataclasses.replace(last, place=dataclasses.replace(last.place, line=line)))


def _is_once(chain: tuple[Frame, ...]) -> bool:
    return any(frame.function.rpartition(".")[2] in ONCE for frame in chain)


def _described(value: Any) -> Value:
    reported = describe_operand("", value)
    return Value(
        kind=reported.kind,
        type=reported.type,
        text=reported.text,
        dtype=reported.dtype,
        shape=reported.shape,
        length=reported.length,
    )


def _shows(values: Any) -> str:
    """What a message shows, as far as the values tell that it is made of."""
    texts = [value for value in values if type(value) is str]
    if any("trac" in text.lower() for text in texts):
        return "tracing"
    if any(internals.is_symbolic(value) for value in values) or any("Tensor(" in text for text in texts):
        return "tensor"
    if texts and len(texts) == len(values) and all(map(SHAPE.fullmatch, texts)):
        return "static"
    if all(peek.is_plain(value) for value in values):
        return "constant"
    return "static" if all(peek.is_plain(v) or internals.is_static(v) for v in values) else ""
