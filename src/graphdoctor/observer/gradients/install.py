"""The one call by which the observer starts the gradient probe."""

from collections.abc import Callable
from typing import Any

from graphdoctor.observer.gradients import tensorflow_internals as internals
from graphdoctor.observer.gradients.tapes import TapeProbe
from graphdoctor.observer.importing import when_imported


def observe_gradients(emit: Callable[[dict[str, Any]], None]) -> None:
    """From now on, say in the recording why gradients come back as None."""
    probe = TapeProbe(emit)

    def start(_: Any) -> None:
        try:
            probe.install()
        except Exception as error:
            emit({"event": "problem", "message": f"Cannot observe gradients of this TensorFlow: {error}"})

    when_imported(internals.TAPE_MODULE, start)
    when_imported("tensorflow", lambda _: probe.begin())
