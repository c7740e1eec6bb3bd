"""What tapes answered: which of it is None, or zeros in the place of None, and why."""

import dataclasses
from collections.abc import Callable
from types import FrameType
from typing import Any

from graphdoctor.observer.gradients import tensorflow_internals as internals
from graphdoctor.observer.gradients.describe import describe_events, source_of
from graphdoctor.observer.gradients.explaining import explain_none, explain_zeros
from graphdoctor.observer.gradients.operations import CodeLine, Key
from graphdoctor.observer.gradients.places import Here, here, site_of
from graphdoctor.observer.gradients.reasons import Source, TapeLife
from graphdoctor.observer.probe import Emit


@dataclasses.dataclass(eq=False, slots=True)
class Question:
    """What was asked of a tape, and what it answered; lives only as long as the call."""

    life: TapeLife
    target: Any
    sources: list[Any]
    result: list[Any]
    method: str
    frame: FrameType
    watched: Callable[[], frozenset[Key]]
    zeros: bool = False  # the method gives zeros where `gradient` gives None

    @property
    def indices(self) -> tuple[int, ...]:
        """Which of the sources have no gradient."""
        if self.zeros:
            return tuple(range(len(self.sources)))
        return tuple(index for index, gradient in enumerate(self.result) if gradient is None)


class Answers:
    """Tells each answer once for each line that asks."""

    def __init__(self, emit: Emit, problem: Callable[[str], None]) -> None:
        self._emit = emit
        self._problem = problem
        self._kinds: dict[Any, list[bool]] = {}
        self._reported: set[Any] = set()
        self.without: set[Key] = set()  # the variables for which a tape answered None
        self.asked: dict[
            Key, CodeLine | None
        ] = {}  # those that a tape was asked for, as far as it was recorded

    def knows(self, frame: FrameType) -> bool:
        """Whether the line that asks has asked before."""
        return site_of(frame) in self._kinds

    def hear(self, question: Question) -> bool:
        """Say why there are no gradients; False when that cannot be reported this time."""
        site = site_of(question.frame)
        if site not in self._kinds:
            self._kinds[site] = [hasattr(source, "handle") for source in question.sources]
        indices = question.indices
        eager = internals.executing_eagerly()
        recorded = not eager or question.life.record is not None
        if not indices and question.result and not recorded:
            return True
        where = here(question.frame, eager)
        if recorded:
            variables = [source for source in question.sources if hasattr(source, "handle")]
            self.asked.update((internals.number(variable), where.place) for variable in variables)
        if recorded and len(indices) < len(question.sources):
            self._hear_zeros(question, (site, where.place, "zeros"), where)
        if indices or not question.result:
            return self._hear_none(question, (site, where.place, indices), where, self._kinds[site])
        return True

    def _hear_none(self, question: Question, once: Any, where: Here, kinds: list[bool]) -> bool:
        lacking = [question.sources[index] for index in question.indices]
        self.without.update(internals.number(source) for source in lacking if hasattr(source, "handle"))
        if once in self._reported:
            return True
        missing = [source for source in _described(question) if source.index in question.indices]
        question.life.variables = question.watched()
        explained = explain_none(question.life, question.target, missing, where, kinds, self._problem)
        if explained is None:
            return False
        self._reported.add(once)
        self._tell(question, where, explained, "zeros" if question.zeros else "None")
        return True

    def _hear_zeros(self, question: Question, once: Any, where: Here) -> None:
        if once in self._reported:
            return
        self._reported.add(once)
        question.life.variables = question.watched()
        given = [source for source in _described(question) if source.index not in question.indices]
        explained = explain_zeros(question.life, question.target, given)
        if explained:
            self._tell(question, where, explained, "zeros")

    def _tell(self, question: Question, where: Here, explained: Any, answer: str) -> None:
        asked = len(question.sources)
        for event in describe_events(explained, asked, question.method, where, question.life):
            self._emit(dataclasses.replace(event, answer=answer))


def _described(question: Question) -> list[Source]:
    described = [source_of(source, index) for index, source in enumerate(question.sources)]
    return [source for source in described if source.key is not None]
