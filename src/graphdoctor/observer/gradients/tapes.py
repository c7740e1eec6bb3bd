"""Hooks on GradientTape: hear when a gradient comes back as None, and say why."""

import sys
import threading
from collections.abc import Callable
from types import FrameType
from typing import Any

from graphdoctor.observer.gradients import tensorflow_internals as internals
from graphdoctor.observer.gradients.answers import Answers, Question
from graphdoctor.observer.gradients.eager import PRELUDE, EagerRecorder
from graphdoctor.observer.gradients.places import here, site_of
from graphdoctor.observer.gradients.reasons import TapeLife
from graphdoctor.observer.probe import Emit
from graphdoctor.recording.format import Problem

FIRST_USES = 3
NO_LIFE = TapeLife()
STATE = "_graphdoctor_life"


_active: "list[TapeProbe]" = []


def active_probe() -> "TapeProbe | None":
    """The probe whose hooks are in place in this process."""
    return _active[-1] if _active else None


class TapeProbe:
    """One for a process. Never raises into the program, never keeps its objects alive."""

    def __init__(self, emit: Emit, first_uses: int = FIRST_USES) -> None:
        self._emit = emit
        self._first_uses = first_uses
        self._thread = threading.local()
        self._uses: dict[Any, int] = {}
        self.answers = Answers(emit, self._problem)

    def install(self) -> Callable[[], None]:
        """Put the hooks in place; returns the undoing."""
        makers = {
            "_push_tape": self._make_push,
            "_pop_tape": self._make_pop,
            "watch": self._make_watch,
            "gradient": self._make_gradient,
            "jacobian": self._make_gradient,
            "batch_jacobian": self._make_gradient,
        }
        self._undo = internals.replace_tape_methods(makers)
        _active.append(self)
        return self.uninstall

    def uninstall(self) -> None:
        """Take the hooks away again, in the thread that put them there."""
        self._recorder().release_all()
        self._undo()
        _active.remove(self)

    def record_every_use(self) -> None:
        """Record every tape from now on, not only the first uses of each."""
        self._first_uses = sys.maxsize

    def begin(self) -> None:
        """Record what this thread does before its first tapes."""
        self._guard(self._recorder().hold, PRELUDE)

    def _recorder(self) -> EagerRecorder:
        if not hasattr(self._thread, "recorder"):
            self._thread.recorder = EagerRecorder(self._problem)
        return self._thread.recorder  # type: ignore[no-any-return]

    def _make_push(self, original: Callable[..., Any]) -> Callable[..., Any]:
        def _push_tape(tape: Any) -> Any:
            result = original(tape)
            self._guard(self._entered, tape, sys._getframe(1))
            return result

        return _push_tape

    def _make_pop(self, original: Callable[..., Any]) -> Callable[..., Any]:
        def _pop_tape(tape: Any) -> Any:
            result = original(tape)
            self._guard(self._left, tape)
            return result

        return _pop_tape

    def _make_watch(self, original: Callable[..., Any]) -> Callable[..., Any]:
        def watch(tape: Any, tensor: Any) -> Any:
            result = original(tape, tensor)
            self._guard(self._watched, tape, tensor, sys._getframe(1))
            return result

        return watch

    def _make_gradient(self, original: Callable[..., Any]) -> Callable[..., Any]:
        method = original.__name__

        def gradient(tape: Any, *arguments: Any, **options: Any) -> Any:
            inside = getattr(self._thread, "inside", False)  # `jacobian` calls `gradient` itself
            self._thread.inside = True
            intervals = len(getattr(tape, STATE, NO_LIFE).intervals)  # `jacobian` enters the tape again
            if not inside:
                self._thread.none_inside = False
            try:
                result = original(tape, *arguments, **options)
            finally:
                self._thread.inside = inside
            if not inside:
                self._guard(
                    self._answered, tape, arguments, options, result, method, intervals, sys._getframe(1)
                )
            elif result is None:
                self._thread.none_inside = True
            return result

        return gradient

    def _entered(self, tape: Any, frame: FrameType) -> None:
        life: TapeLife | None = getattr(tape, STATE, None)
        if life is None:
            life = TapeLife(automatic=tape._watch_accessed_variables)
            setattr(tape, STATE, life)
            if internals.executing_eagerly():
                self._consider_recording(life, frame)
            else:
                life.place = here(frame, eager=False).place
        life.intervals.append([internals.now(), sys.maxsize])

    def _consider_recording(self, life: TapeLife, frame: FrameType) -> None:
        """Record eager operations in the first uses of each tape site only."""
        site = site_of(frame)
        uses = self._uses.get(site, 0)
        self._uses[site] = uses + 1
        life.site = site
        if uses < self._first_uses:
            self._recorder().hold(life)
            life.record = self._recorder().record
            life.place = here(frame, eager=True).place
        elif self._recorder().recording:  # a loop goes round: the start of the program is over
            self._recorder().release(PRELUDE)
            self._recorder().release_closed()

    def _left(self, tape: Any) -> None:
        life: TapeLife | None = getattr(tape, STATE, None)
        if life is not None and life.intervals:
            life.intervals[-1][1] = internals.now()

    def _watched(self, tape: Any, tensors: Any, frame: FrameType) -> None:
        life: TapeLife | None = getattr(tape, STATE, None)
        eager = internals.executing_eagerly()
        if life is not None and not (eager and not self._recorder().recording):
            when, place = internals.now(), here(frame, eager).place
            found = [t for t in internals.flatten(tensors) if hasattr(t, "_id") or hasattr(t, "handle")]
            life.watched += [(internals.number(t), when, place) for t in found]

    def _answered(
        self,
        tape: Any,
        arguments: Any,
        options: Any,
        result: Any,
        method: str,
        intervals: int,
        frame: FrameType,
    ) -> None:
        life: TapeLife | None = getattr(tape, STATE, None)
        if life is None:
            return
        del life.intervals[intervals:]
        flat = internals.flat_answer(result)
        zeros = method == "batch_jacobian" and getattr(self._thread, "none_inside", False)
        if self._is_nothing_new(life, flat, frame) and not zeros:
            return
        target, sources = _asked(*arguments, **options)
        question = Question(
            life=life,
            target=target,
            sources=internals.flatten(sources),
            result=flat,
            method=method,
            frame=frame,
            watched=lambda: frozenset(internals.watched_variables(tape)),
            zeros=zeros,
        )
        try:
            if not self.answers.hear(question):
                self._uses.pop(life.site, None)  # not recorded this time: record the next
        finally:
            if life.site is not None:
                self._recorder().release(life)

    def _is_nothing_new(self, life: TapeLife, result: list[Any], frame: FrameType) -> bool:
        """Whether a long run goes on as it did: this must cost next to nothing."""
        return (
            life.record is None
            and internals.executing_eagerly()
            and bool(result)
            and not any(gradient is None for gradient in result)
            and self.answers.knows(frame)
        )

    def _guard(self, action: Callable[..., Any], *arguments: Any) -> None:
        try:
            action(*arguments)
        except Exception as error:
            self._problem(f"{action.__name__}: {type(error).__name__}: {error}")

    def _problem(self, message: str) -> None:
        self._emit(Problem(message=message[:500]))


def _asked(
    target: Any = None, sources: Any = (), *others: Any, source: Any = None, **options: Any
) -> tuple[Any, Any]:
    """The target and the sources, however they were given; `batch_jacobian` has one source."""
    return target, sources if source is None else source
