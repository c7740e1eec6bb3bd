"""Hears the switches that keep functions and models out of graphs and XLA."""

from collections.abc import Callable
from typing import Any

from graphdoctor.observer.instrumentation.replacing import class_defining, replaced

FUNCTIONS = "tensorflow.python.eager.polymorphic_function.eager_function_run"
MODELS = ("keras.src.trainers.trainer", "tf_keras.src.engine.training")
KERAS_3 = MODELS[0]  # the older Keras compiles, or raises
CONTEXT = "tensorflow.python.eager.context"


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
    trainer = class_defining(module, "run_eagerly")
    before = trainer.__dict__["run_eagerly"]

    def run_eagerly(model: Any, value: Any) -> None:
        before.fset(model, value)
        heard(value)

    return replaced(trainer, "run_eagerly", before.setter(run_eagerly))


def hook_uncompiled_models(module: Any, heard: Callable[[dict[str, str]], None]) -> Callable[[], None]:
    """Call `heard` when a Keras model is asked to use XLA and goes without; with what tells the reason."""
    trainer = class_defining(module, "jit_compile")
    before = trainer.__dict__["jit_compile"]

    def jit_compile(model: Any, value: Any) -> None:
        before.fset(model, value)
        if value is True and model._jit_compile is False:
            heard(_why_uncompiled(model))

    return replaced(trainer, "jit_compile", before.setter(jit_compile))


def hook_clustering(module: Any, heard: Callable[[Any], None]) -> Callable[[], None]:
    """Call `heard` when `tf.config.optimizer.set_jit` lets XLA compile parts of all graphs, or no longer."""
    before = module.Context.__dict__["optimizer_jit"]

    def optimizer_jit(context: Any, enabled: Any) -> None:
        before.fset(context, enabled)
        heard(enabled)

    return replaced(module.Context, "optimizer_jit", before.setter(optimizer_jit))


def has_processors_only() -> bool:
    """Whether TensorFlow looked for devices, and found no GPU or other accelerator."""
    from tensorflow.python.eager import context

    devices = context.context()._physical_devices or ()
    return {device.device_type for device in devices} == {"CPU"}


def _why_uncompiled(model: Any) -> dict[str, str]:
    from tensorflow.python.framework import config

    layers = (type(layer).__name__ for layer in model._flatten_layers() if not layer.supports_jit)
    why = {"layers": ", ".join(dict.fromkeys(layers))}
    return why | {"deterministic": "True"} if config.is_op_determinism_enabled() else why
