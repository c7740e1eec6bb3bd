"""Hears when an optimizer is given None that no tape gave."""

import sys
from collections.abc import Callable
from typing import Any

from graphdoctor.observer.gradients import tensorflow_internals as internals
from graphdoctor.observer.gradients.answers import Answers
from graphdoctor.observer.gradients.describe import describe_events, source_of
from graphdoctor.observer.gradients.operations import CodeLine, Key
from graphdoctor.observer.gradients.places import here
from graphdoctor.observer.gradients.reasons import Reason, TapeLife
from graphdoctor.observer.probe import Emit
from graphdoctor.recording.format import Problem


class OptimizerProbe:
    """Stands where Keras drops what has no gradient; what a tape answered is reported there, not here."""

    def __init__(self, emit: Emit, answers: Answers) -> None:
        self._emit = emit
        self._answers = answers
        self._reported: set[tuple[CodeLine | None, frozenset[Key]]] = set()

    def install(self) -> Callable[[], None]:
        """Put the hook in place; returns the undoing."""
        return internals.replace_filter(self._make_filter)

    def _make_filter(self, original: Callable[..., Any]) -> Callable[..., Any]:
        def _filter_empty_gradients(optimizer: Any, grads: Any, vars: Any) -> Any:  # noqa: A002
            if isinstance(grads, list | tuple) and any(gradient is None for gradient in grads):
                self._given(grads, vars)
            return original(optimizer, grads, vars)

        return _filter_empty_gradients

    def _given(self, gradients: Any, variables: Any) -> None:
        try:
            described = [source_of(variable, index) for index, variable in enumerate(variables)]
            pairs = zip(described, gradients, strict=False)
            missing = [source for source, gradient in pairs if gradient is None]
            new = [source for source in missing if source.key not in self._answers.without]
            where = here(sys._getframe(2), internals.executing_eagerly())
            once = (where.place, frozenset(source.key for source in new))
            if new and once not in self._reported:
                self._reported.add(once)
                found = [(source, Reason("given", self._answers.asked.get(source.key))) for source in new]
                for event in describe_events(found, len(described), where.entered, where, TapeLife()):
                    self._emit(event)
        except Exception as error:
            self._emit(Problem(message=f"optimizer: {type(error).__name__}: {error}"[:500]))
