"""Hears what keeps functions and models out of graphs and XLA: TensorFlow's and Keras' switches."""

import os
import types
from collections.abc import Callable, Iterator
from typing import Any

from graphdoctor.observer import tensorflow_internals as internals
from graphdoctor.observer.instrumentation.hooks import describe_fault
from graphdoctor.observer.instrumentation.importing import when_imported
from graphdoctor.observer.probe import Emit, Probe
from graphdoctor.observer.user_code.callsite import WRAPPERS, chain_of
from graphdoctor.observer.user_code.ownership import OWN_PACKAGE, is_library
from graphdoctor.recording.format import XLA_DROPPED, AnyEvent, Applied, Frame, Problem

SWITCH = "/" + internals.FUNCTIONS.replace(".", "/") + ".py"
ON_PROCESSORS = "--tf_xla_cpu_global_jit"  # in TF_XLA_FLAGS
EAGER_SWITCH = "eager switch"
MOST_EVENTS = 100


class SwitchesProbe(Probe):
    """Tells of `run_functions_eagerly` and `run_eagerly`, and of a switch for XLA that has no effect.

    It pays when they are set, and at no other time.
    """

    def __init__(self, emit: Emit) -> None:
        self._emit = emit
        self._events = 0
        self._undo: list[Callable[[], None]] = []
        self._clustering: tuple[Frame, ...] = ()
        self.resumed()

    def resumed(self) -> None:
        if not self._undo:
            self._await(internals.FUNCTIONS, internals.hook_eager_switch, self._functions_switched)
            for name in internals.MODELS:
                self._await(name, internals.hook_eager_models, self._model_switched)
            self._await(internals.KERAS_3, internals.hook_uncompiled_models, self._not_compiled)
            self._await(internals.CONTEXT, internals.hook_clustering, self._clustering_switched)

    def paused(self) -> None:
        while self._undo:
            self._undo.pop()()

    def _await(
        self,
        name: str,
        hook: Callable[[Any, Callable[[Any], None]], Callable[[], None]],
        heard: Callable[[Any], None],
    ) -> None:
        def imported(module: types.ModuleType) -> None:
            try:
                self._undo.append(hook(module, heard))
            except Exception as error:
                self._emit(Problem(message=describe_fault(hook, error)))

        self._undo.append(when_imported(name, imported))

    def _functions_switched(self, on: Any) -> None:
        self._tell(Applied(what=EAGER_SWITCH, object=0, options={"on": str(bool(on))}))

    def _model_switched(self, on: Any) -> None:
        if on is True:
            self._tell(Applied(what="compile", object=0, options={"eagerly": "True"}))

    def _not_compiled(self, why: Any) -> None:
        self._tell(Applied(what=XLA_DROPPED, object=0, options=why))

    def _clustering_switched(self, on: Any) -> None:
        self._clustering = chain_of(internals.stack()) if on else ()

    def closing(self) -> Iterator[AnyEvent]:
        """XLA's own choice of parts is for GPUs: on a processor nothing is compiled, without a word."""
        flags = os.environ.get("TF_XLA_FLAGS", "")
        if self._clustering and ON_PROCESSORS not in flags and internals.has_processors_only():
            yield Applied(what=XLA_DROPPED, object=0, options={"devices": "CPU"}, chain=self._clustering)

    def _tell(self, event: Applied) -> None:
        try:
            frames = internals.stack()
            if event.what == EAGER_SWITCH and _is_for_a_moment(frames):
                return
            chain = chain_of(frames)
            self._events += 1
            if chain and self._undo and self._events <= MOST_EVENTS:
                self._emit(Applied(what=event.what, object=0, options=event.options, chain=chain))
        except Exception as error:
            self._emit(Problem(message=describe_fault(self._tell, error)))


def _is_for_a_moment(frames: list[Any]) -> bool:
    """Whether TensorFlow itself sets a switch: `vectorized_map` does, and sets it back to what it was."""
    for frame in reversed(frames):
        path = frame.filename.replace("\\", "/")
        if frame.name not in WRAPPERS and not path.startswith(OWN_PACKAGE) and not path.endswith(SWITCH):
            return is_library(frame.filename) and internals.FILES in path
    return False
