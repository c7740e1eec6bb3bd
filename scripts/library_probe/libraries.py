"""The libraries: their symbols, their entries, and how they mix dtypes."""

import functools
import importlib
import inspect

import keras
import numpy
import tensorflow as tf

from library_probe.classes import weights_facts
from library_probe.entries import Prober, spelt
from library_probe.fitting import promotions
from library_probe.gradients import numpy_raises_anyhow
from library_probe.names import Symbol, symbols
from library_probe.templates import signature_of
from library_probe.types_of import GENERATORS, attributes, method_symbols, reseed

PROMOTIONS = {
    "tensorflow": lambda a, b: tf.experimental.numpy.result_type(a, b).as_numpy_dtype,
    "keras": lambda a, b: keras.backend.result_type(a, b),
    "numpy": numpy.result_type,
    "scipy": numpy.result_type,
}
BASES = {
    "layer": keras.layers.Layer,
    "optimizer": keras.optimizers.Optimizer,
    "metric": keras.metrics.Metric,
    "loss": keras.losses.Loss,
    "dataset": tf.data.Dataset,
    "variable": (tf.Variable, keras.Variable),
    "initializer": keras.initializers.Initializer,
    "regularizer": keras.regularizers.Regularizer,
    "constraint": keras.constraints.Constraint,
    "callback": keras.callbacks.Callback,
    "schedule": keras.optimizers.schedules.LearningRateSchedule,
    "module": tf.Module,
    "exception": BaseException,
}


def symbols_of(library: str) -> list[Symbol]:
    """Functions and classes, then methods."""
    return symbols(library) + method_symbols(library)


def head_of(library: str) -> dict[str, object]:
    """What holds for the whole library."""
    return {
        "version": importlib.import_module(library).__version__,
        "promotions": promotions(PROMOTIONS[library]),
        "types": attributes(library),
    }


def entry_of(library: str, symbol: Symbol) -> dict[str, object]:
    """What the table says of one symbol; the same in any order, whatever was drawn before."""
    keras.utils.set_random_seed(0)
    for generator in GENERATORS.values():
        reseed(generator)
    if library == "scipy":  # many of its functions take minutes or never end: only this is asked
        return {"raises": numpy_raises_anyhow(symbol.value, most=4)}
    if inspect.isclass(symbol.value) and not issubclass(symbol.value, (numpy.number, numpy.bool_)):
        return class_entry(symbol)
    if symbol.name.startswith("keras.applications.") and symbol.name.rsplit(".", 1)[1][0].isupper():
        return parameters_of(symbol) | {"result": "object:keras.Model", "makes": "model"}  # slow to be run
    return prober_of(library).entry(symbol.name, symbol.value)


@functools.cache
def prober_of(library: str) -> Prober:
    table = promotions(PROMOTIONS[library])
    return Prober(library, lambda a, b: a if a == b else table.get(" ".join(sorted((a, b)))))


def parameters_of(symbol: Symbol) -> dict[str, object]:
    """What is known of a symbol before it is called."""
    signature = signature_of(symbol.value)
    return {"parameters": spelt(signature)} if signature is not None else {}


def class_entry(symbol: Symbol) -> dict[str, object]:
    facts = {"result": f"object:{symbol.name}"} | parameters_of(symbol)
    kind = makes(symbol.value)
    if kind:
        facts["makes"] = kind
    return facts | (weights_facts(symbol.value) if kind in ("layer", "metric", "optimizer") else {})


def makes(value: type) -> str:
    if issubclass(value, keras.Model):
        return "model"
    return next((kind for kind, base in BASES.items() if issubclass(value, base)), "")
