"""Hears what `tf.gradients` gives while a function is traced."""

import sys
from collections.abc import Callable
from typing import Any

from graphdoctor.observer.gradients import tensorflow_internals as internals
from graphdoctor.observer.gradients.answers import Answers, Question
from graphdoctor.observer.gradients.describe import SYMBOLIC
from graphdoctor.observer.gradients.reasons import TapeLife
from graphdoctor.observer.probe import Emit
from graphdoctor.recording.format import Problem

ASKING = ("gradients", "gradients_v2")  # TensorFlow also asks for itself, to make gradients of loops


class SymbolicProbe:
    """`tf.gradients` needs no tape: the graph itself remembers everything, and every source counts."""

    def __init__(self, emit: Emit, answers: Answers) -> None:
        self._emit = emit
        self._answers = answers

    def install(self) -> Callable[[], None]:
        """Put the hook in place; returns the undoing."""
        return internals.replace_symbolic_gradients(self._make_helper)

    def _make_helper(self, original: Callable[..., Any]) -> Callable[..., Any]:
        def _GradientsHelper(ys: Any, xs: Any, *others: Any, **options: Any) -> Any:  # noqa: N802
            result = original(ys, xs, *others, **options)
            frame = sys._getframe(1)
            if frame.f_code.co_name in ASKING and internals.is_function_graph(internals.current_graph()):
                self._answered(ys, xs, result, frame)
            return result

        return _GradientsHelper

    def _answered(self, target: Any, sources: Any, result: Any, frame: Any) -> None:
        try:
            flat = internals.flatten(sources)
            known = [source for source in flat if hasattr(source, "_id") or hasattr(source, "handle")]
            numbers = [internals.number(source) for source in known]
            life = TapeLife(
                intervals=[[0, sys.maxsize]],
                watched=[(number, 0, None) for number in numbers],
            )
            self._answers.hear(
                Question(
                    life=life,
                    target=target,
                    sources=flat,
                    result=internals.flatten(result),
                    method=SYMBOLIC,
                    frame=frame,
                    watched=lambda: frozenset(numbers),
                )
            )
        except Exception as error:
            message = f"{SYMBOLIC}: {type(error).__name__}: {error}"
            self._emit(Problem(message=message[:500]))
