"""Hears the switches that keep functions and models out of graphs."""

from collections.abc import Callable
from typing import Any

from graphdoctor.observer.replacing import replaced

FUNCTIONS = "tensorflow.python.eager.polymorphic_function.eager_function_run"
MODELS = ("keras.src.trainers.trainer", "tf_keras.src.engine.training")


def hook_eager_switch(module: Any, heard: Callable[[bool], None]) -> Callable[[], None]:
    """Call `heard` when `tf.config.run_functions_eagerly` is called.

    Its code is exchanged, for the function itself stands under several public names already.
    """
    switch = module.run_functions_eagerly
    code = switch.__code__

    def run_functions_eagerly(run_eagerly):  # type: ignore[no-untyped-def]
        global RUN_FUNCTIONS_EAGERLY  # TensorFlow's: the code runs among its names
        RUN_FUNCTIONS_EAGERLY = bool(run_eagerly)  # type: ignore[name-defined]
        _graphdoctor_heard(RUN_FUNCTIONS_EAGERLY)  # type: ignore[name-defined]  # noqa: F821

    if code.co_freevars or code.co_varnames[: code.co_argcount] != ("run_eagerly",):
        raise TypeError("run_functions_eagerly takes other arguments")
    module._graphdoctor_heard = heard
    switch.__code__ = run_functions_eagerly.__code__.replace(
        co_filename=code.co_filename, co_firstlineno=code.co_firstlineno
    )

    def undo() -> None:
        switch.__code__ = code

    return undo


def hook_eager_models(module: Any, heard: Callable[[Any], None]) -> Callable[[], None]:
    """Call `heard` when `run_eagerly` of a Keras model is set, as `compile` does."""
    trainer = getattr(module, "Trainer", None) or module.Model
    before = trainer.__dict__["run_eagerly"]

    def run_eagerly(model: Any, value: Any) -> None:
        before.fset(model, value)
        heard(value)

    return replaced(trainer, "run_eagerly", before.setter(run_eagerly))
