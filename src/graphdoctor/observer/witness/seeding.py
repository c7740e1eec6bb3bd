"""Random numbers that are the same in each run of a program, unless it draws them from elsewhere."""

import contextlib
import functools
import random
from collections.abc import Callable
from typing import Any

from graphdoctor.observer.instrumentation.importing import when_imported


def seed_everything(seed: int, shift: int) -> None:
    """Seed Python, NumPy and TensorFlow; a program that seeds them itself does so afterwards.

    `shift` is added to its own seeds, too: two runs then show what depends on random numbers.
    """
    random.seed(seed + shift)
    if shift:
        random.seed = _shifted(random.seed, shift)
    when_imported("numpy.random", lambda module: _seed_numpy(module, seed, shift))
    when_imported("tensorflow", lambda module: _seed_tensorflow(module, seed, shift))


def _seed_numpy(module: Any, seed: int, shift: int) -> None:
    with contextlib.suppress(Exception):
        module.seed(seed + shift)
        fresh = module.default_rng
        module.default_rng = functools.wraps(fresh)(
            lambda given=None: fresh(seed + shift if given is None else given)
        )
        if shift:
            module.seed = _shifted(module.seed, shift)


def _seed_tensorflow(module: Any, seed: int, shift: int) -> None:
    with contextlib.suppress(Exception):
        module.random.set_seed(seed + shift)
        if shift:
            module.random.set_seed = _shifted(module.random.set_seed, shift)


def _shifted(function: Callable[..., Any], shift: int) -> Callable[..., Any]:
    @functools.wraps(function)
    def seed(given: Any = None, *rest: Any, **named: Any) -> Any:
        return function(given + shift if isinstance(given, int) else given, *rest, **named)

    return seed
