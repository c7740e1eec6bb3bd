"""MODULE:TRAINER and a configuration → an object with `batches()` and `train_step(batch)`."""

import inspect
import os
from collections.abc import Callable
from typing import Any

from graphdoctor.diagnosis.keras_trainer import TrainerError, is_keras_model, keras_trainer
from graphdoctor.observer.failures.errors import describe_error
from graphdoctor.observer.user_code.loading import NoModuleError, load


def load_trainer(target: str, config: dict[str, Any] | None) -> Any:
    """The trainer that a target names: an object, a factory, or a Keras model, with data or alone."""
    found = _find(target)
    if not _is_trainer(found) and not is_keras_model(found) and callable(found):
        found = _build(target, found, config)
    given = tuple(found) if isinstance(found, tuple | list) else (found,)
    if given and is_keras_model(given[0]):
        try:
            return keras_trainer(target, *given)
        except TrainerError:
            raise
        except Exception as error:
            raise TrainerError(f"the data of {target} cannot be used: {described(error)}") from error
    if not _is_trainer(found):
        missing = [name for name in ("batches", "train_step") if not hasattr(found, name)]
        raise TrainerError(
            f"{target} is a {type(found).__name__} without {' and '.join(missing)}: expected a trainer,"
            " a factory of one, or a compiled Keras model, alone, as (model, dataset) or as (model, x, y)"
        )
    return found


def _find(target: str) -> Any:
    place, _, path = target.rpartition(":")
    try:
        found, ended = load(place)
    except NoModuleError as error:
        raise TrainerError(f"cannot import {error}") from None
    except ImportError as error:
        raise TrainerError(f"cannot import {place}: {error}") from error
    except Exception as error:
        raise TrainerError(f"importing {place} raised {described(error)}") from error
    first, *rest = path.split(".")
    if isinstance(ended, Exception) and not hasattr(found, first):
        raise TrainerError(f"importing {place} raised {described(ended)}") from ended
    for name in (first, *rest):
        if not hasattr(found, name):
            raise TrainerError(f"{place} has no {path}")
        found = getattr(found, name)
    return found


def _build(target: str, factory: Callable[..., Any], config: dict[str, Any] | None) -> Any:
    arguments, options = _arguments(target, factory, config)
    try:
        return factory(*arguments, **options)
    except Exception as error:
        raise TrainerError(f"building {target} raised {described(error)}") from error


def _arguments(
    target: str, factory: Callable[..., Any], config: dict[str, Any] | None
) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """What to call a factory with: the configuration, its settings by name, or nothing."""
    try:
        parameters = inspect.signature(factory).parameters.values()
    except (TypeError, ValueError):
        return ((config,) if config is not None else ()), {}
    named = [one for one in parameters if one.kind in (one.POSITIONAL_OR_KEYWORD, one.KEYWORD_ONLY)]
    needed = [one.name for one in named if one.default is one.empty]
    if config is None:
        if needed:
            raise TrainerError(f"{target} needs {' and '.join(needed)}: give it by --config FILE")
        return (), {}
    settings = {one.name: config[one.name] for one in named if one.name in config}
    if settings and set(needed) <= set(settings):
        return (), settings
    return ((config,) if parameters else ()), {}


def described(error: Exception) -> str:
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
