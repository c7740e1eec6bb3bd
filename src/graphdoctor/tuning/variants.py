"""Where a scout saw the steps → the texts of the variants, and marks in the copies that are measured."""

import os
from collections.abc import Callable, Sequence
from typing import NamedTuple

from graphdoctor.errors import SourceError
from graphdoctor.fixing.steps_file import Site, Stepped
from graphdoctor.model import Edit, apply_edits
from graphdoctor.observer.stepping.stepping import CALL, EPOCH, FIT, MARK, TAPE
from graphdoctor.source.module import Module, parse_module
from graphdoctor.tuning.training_loops import Training, marked, training_of
from graphdoctor.tuning.training_variants import (
    Variant,
    fit_variants,
    loop_pipeline,
    precision_variant,
    step_variants,
)

Read = Callable[[str], str]


class Scene(NamedTuple):
    """Where the training is, its variants, and the edits that mark its steps."""

    where: str
    variants: tuple[Variant, ...]
    marks: tuple[Edit, ...]


def scene_of(stepped: Stepped, read: Read, precision: str) -> Scene | None:
    """The training that took most of the steps; None where none was seen, or its loop is not in the files."""
    stack = _stack(stepped)
    modules: dict[str, Module] = {}
    frames = [
        (module, site.line, site.function) for site in stack if (module := _module(site, read, modules))
    ]
    if not frames:
        return None
    if FIT in stepped.stacks:
        module, line, _ = frames[-1]
        where, variants = f"{module.path}:{line}: fit", list(fit_variants(module, line))
        marks: tuple[Edit, ...] = ()
    else:
        training = training_of(frames)
        found = marked(training, MARK, EPOCH) if training is not None else None
        if training is None or found is None:
            return None
        where, marks = _where(training), found
        variants = [*step_variants(training), *loop_pipeline(training)]
    precise = precision_variant(frames[0][0], precision) if precision else None
    return Scene(where, (*variants, *([precise] if precise else ())), marks)


def edited(read: Read, edits: Sequence[Edit]) -> dict[str, str]:
    """The texts of the edited files by path."""
    paths = dict.fromkeys(edit.path for edit in edits)
    return {path: apply_edits(read(path), [one for one in edits if one.path == path]) for path in paths}


def _where(training: Training) -> str:
    step = f"{training.step.name}, in " if training.step is not None else ""
    return f"{training.module.path}:{training.loop.lineno}: {step}the loop"


def _stack(stepped: Stepped) -> tuple[Site, ...]:
    """The lines that lead to the steps: of `fit`, of eager tapes, or of the costliest graph function."""
    for kind in (FIT, TAPE):
        if kind in stepped.stacks:
            return stepped.stacks[kind]
    calls = [kind for kind in stepped.stacks if kind.startswith(CALL)]
    costliest = max(calls, key=lambda kind: stepped.seconds.get(kind, 0.0), default=None)
    return stepped.stacks[costliest] if costliest is not None else ()


def _module(site: Site, read: Read, known: dict[str, Module]) -> Module | None:
    if site.path.startswith(os.pardir):
        return None
    if site.path not in known:
        try:
            known[site.path] = parse_module(site.path, read(site.path))
        except (SourceError, OSError):
            return None
    return known[site.path]
