"""MODULE:TRAINER and a configuration → an object with `batches()` and `train_step(batch)`."""

import importlib
import inspect
import os
from collections.abc import Callable, Iterator
from typing import Any

from graphdoctor.observer.errors import describe_error


class TrainerError(Exception):
    """The trainer cannot be built or run; the text is for the user."""


def load_trainer(target: str, config: dict[str, Any] | None) -> Any:
    """The trainer that a target names: an object, a factory, or a compiled Keras model with a dataset."""
    found = _find(target)
    if not _is_trainer(found) and callable(found):
        found = _build(target, found, config)
    if isinstance(found, tuple | list) and found and _is_keras_model(found[0]):
        return KerasTrainer(target, *found)
    if not _is_trainer(found):
        missing = [name for name in ("batches", "train_step") if not hasattr(found, name)]
        raise TrainerError(
            f"{target} is a {type(found).__name__} without {' and '.join(missing)}: expected a trainer,"
            " a factory of one, or a compiled Keras model with a dataset, as (model, dataset)"
        )
    return found


def _find(target: str) -> Any:
    module_name, _, path = target.partition(":")
    try:
        found = importlib.import_module(module_name)
    except ImportError as error:
        raise TrainerError(f"cannot import {module_name}: {error}") from error
    except Exception as error:
        raise TrainerError(f"importing {module_name} raised {told(error)}") from error
    for name in path.split("."):
        if not hasattr(found, name):
            raise TrainerError(f"{module_name} has no {path}")
        found = getattr(found, name)
    return found


def _build(target: str, factory: Callable[..., Any], config: dict[str, Any] | None) -> Any:
    try:
        takes_config = bool(inspect.signature(factory).parameters)
    except (TypeError, ValueError):
        takes_config = config is not None
    try:
        return factory(config) if takes_config and config is not None else factory()
    except Exception as error:
        raise TrainerError(f"building {target} raised {told(error)}") from error


def told(error: Exception) -> str:
    """An exception in one line: its type, its essential words, and the user's line that raised it."""
    known = describe_error(error)
    words, at = " ".join(known.text.split()), known.place
    place = f" ({_short(at.path)}:{at.line})" if at is not None and _is_file(at.path) else ""
    return f"{known.type}: {words}{place}" if words else f"{known.type}{place}"


def _is_file(path: str) -> bool:
    return bool(path) and not path.startswith("<")


def _short(path: str) -> str:
    below = os.getcwd().rstrip(os.sep) + os.sep
    return path.removeprefix(below)


def _is_trainer(found: Any) -> bool:
    return not inspect.isclass(found) and hasattr(found, "batches") and hasattr(found, "train_step")


def _is_keras_model(found: Any) -> bool:
    return hasattr(found, "make_train_function") and hasattr(found, "compile")


class KerasTrainer:
    """A compiled Keras model with its dataset, stepped exactly as `fit` steps it."""

    def __init__(self, target: str, model: Any, dataset: Any, validation: Any = None) -> None:
        if not getattr(model, "compiled", True):
            raise TrainerError(f"the Keras model of {target} is not compiled: call model.compile(…)")
        self._model, self._dataset = model, dataset
        self._iterators: dict[str, Iterator[Any]] = {}
        model.make_train_function()
        if validation is not None:
            model.make_test_function()
            self.validation_batches = lambda: self._fresh("test", validation)
            self.validation_step = lambda batch: model.test_function(self._iterators["test"])

    def batches(self) -> Iterator[Any]:
        """The batches, for a look; `train_step` draws the same ones from an iterator of its own."""
        return self._fresh("train", self._dataset)

    def train_step(self, batch: Any) -> Any:
        """One step of `fit`."""
        return self._model.train_function(self._iterators["train"])

    def _fresh(self, name: str, dataset: Any) -> Iterator[Any]:
        self._iterators[name] = iter(dataset)
        return iter(dataset)
