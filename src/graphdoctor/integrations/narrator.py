"""Says each retrace in one line, in the moment in which it happens."""

import contextlib
import os
import types
from collections.abc import Callable

from graphdoctor.observer import tensorflow_internals as internals
from graphdoctor.observer.instrumentation import hooks
from graphdoctor.observer.instrumentation.importing import when_imported
from graphdoctor.observer.probe import OriginProbe
from graphdoctor.observer.recorder import Recorder
from graphdoctor.recording import Selection
from graphdoctor.recording.format import AnyEvent, Trace
from graphdoctor.recording.narration import Teller


class Narrator:
    """Between `start` and `stop`, gives a line for each retrace that counts to `say`."""

    def __init__(self, say: Callable[[str], None], warmup: int = 0) -> None:
        self._say = say
        self._teller = Teller(Selection(warmup=warmup), os.getcwd())
        self._recorder = Recorder(self._heard, probes=[OriginProbe()])
        self._listening = contextlib.ExitStack()

    def start(self) -> None:
        """Listen, as soon as TensorFlow is imported."""

        def listen(_: types.ModuleType) -> None:
            self._listening.callback(hooks.attach(self._recorder))

        self._listening.callback(when_imported(internals.TRACING_MODULE, listen))

    def stop(self) -> None:
        """Listen no longer; what was heard is remembered."""
        self._listening.close()

    def _heard(self, event: AnyEvent) -> None:
        if isinstance(event, Trace):
            line = self._teller.tell(event)
            if line is not None:
                self._say(line)
