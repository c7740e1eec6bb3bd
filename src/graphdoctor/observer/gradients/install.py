"""The one call by which the observer starts the gradient probes."""

from collections.abc import Callable
from typing import Any

from graphdoctor.observer.gradients import tensorflow_internals as internals
from graphdoctor.observer.gradients.optimizers import OptimizerProbe
from graphdoctor.observer.gradients.symbolic import SymbolicProbe
from graphdoctor.observer.gradients.tapes import TapeProbe
from graphdoctor.observer.instrumentation.importing import when_imported
from graphdoctor.observer.probe import Emit
from graphdoctor.recording.format import Problem


def observe_gradients(emit: Emit) -> None:
    """From now on, say in the recording why gradients come back as None."""
    tapes = TapeProbe(emit)
    symbolic = SymbolicProbe(emit, tapes.answers)
    optimizers = OptimizerProbe(emit, tapes.answers)

    def starting(install: Callable[[], Any], what: str) -> Callable[[Any], None]:
        def start(_: Any) -> None:
            try:
                install()
            except Exception as error:
                emit(Problem(message=f"Cannot observe {what}: {error}"))

        return start

    when_imported(internals.TAPE_MODULE, starting(tapes.install, "gradients of this TensorFlow"))
    when_imported(internals.SYMBOLIC_MODULE, starting(symbolic.install, "`tf.gradients` of this TensorFlow"))
    when_imported(internals.OPTIMIZER_MODULE, starting(optimizers.install, "optimizers of this Keras"))
    when_imported("tensorflow", lambda _: tapes.begin())
