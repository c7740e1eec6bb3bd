"""`graphdoctor.explain_gradient`: why is this gradient None?

Importing this module makes tapes record what is computed around them from then on. That is why
`from graphdoctor import explain_gradient` belongs at the top of a program that wants to ask.
"""

import os
import sys
from collections.abc import Callable
from typing import Any

import msgspec

from graphdoctor.errors import GradientError
from graphdoctor.model.paths import relative_path
from graphdoctor.observer.gradients.describe import describe_events, source_of
from graphdoctor.observer.gradients.explaining import explain_none
from graphdoctor.observer.gradients.places import here
from graphdoctor.observer.gradients.reasons import TapeLife
from graphdoctor.observer.gradients.tapes import STATE, TapeProbe, active_probe
from graphdoctor.observer.gradients.tensorflow_internals import executing_eagerly, flatten
from graphdoctor.recording.format import Gradient
from graphdoctor.recording.gradients import lines_of, names_of, sentence

NOT_RECORDED = (
    "this tape was opened before graphdoctor listened: put `from graphdoctor import explain_gradient` "
    "at the top of the program, or give a function that computes the target instead of the target"
)


class GradientExplanation(msgspec.Struct, frozen=True):
    """One entry for each reason, with the sources it concerns; `str` of it is for people."""

    missing: tuple[Gradient, ...]
    connected: tuple[str, ...]

    def __str__(self) -> str:
        lines = []
        for event in self.missing:
            lines.append(sentence(event))
            lines += [f"    {_where(place.path)}:{place.line}  {text}" for place, text in lines_of(event)]
        if self.connected:
            lines.append(f"there is a path with gradients to {', '.join(self.connected)}")
        return "\n".join(lines)


def explain_gradient(target: Any, sources: Any, tape: Any = None) -> GradientExplanation:
    """Say for each source whether a gradient can reach it from the target, and if not, why.

    `target` is a tensor computed with `tape`, or a function without arguments that computes it.
    """
    if callable(target):
        return _explain_call(target, sources)
    if tape is None:
        raise GradientError("explain_gradient needs the tape: explain_gradient(target, sources, tape=tape)")
    life = getattr(tape, STATE, None)
    if life is None and executing_eagerly():
        raise GradientError(NOT_RECORDED)
    if life is None:  # a graph remembers what was computed, if not what the tape saw of it
        life = TapeLife(intervals=[[0, sys.maxsize]])
    asked = [source_of(source, index) for index, source in enumerate(flatten(sources))]
    where = here(sys._getframe(1), executing_eagerly())
    life.variables = frozenset(source_of(variable, 0).key for variable in tape.watched_variables())
    explained = explain_none(life, target, asked, where, [], _refuse)
    if explained is None:
        raise GradientError(NOT_RECORDED)
    events = describe_events(explained, len(asked), "gradient", where, life)
    return GradientExplanation(
        missing=tuple(event for event in events if event.reason != "unexplained"),
        connected=tuple(names_of(event) for event in events if event.reason == "unexplained"),
    )


def _explain_call(compute: Callable[[], Any], sources: Any) -> GradientExplanation:
    import tensorflow as tf

    _probe()
    with tf.GradientTape() as tape:
        for source in flatten(sources):
            if not hasattr(source, "handle"):
                tape.watch(source)
        target = compute()
    return explain_gradient(target, sources, tape)


def _refuse(message: str) -> None:
    raise GradientError(message)


def _where(path: str) -> str:
    return relative_path(path, os.getcwd())


def _probe() -> TapeProbe:
    """The probe of this process; put in place when first needed."""
    found = active_probe()
    if found is None:
        found = TapeProbe(lambda event: None)
        found.install()
        found.begin()
    found.record_every_use()
    return found


def _keep_from_autograph() -> None:
    """In a traced function AutoGraph would convert this module as if it were the user's."""
    import tensorflow as tf

    globals()["explain_gradient"] = tf.autograph.experimental.do_not_convert(explain_gradient)


_probe()
_keep_from_autograph()
