"""The checklist before a long run: each line checked on what was measured, none assumed."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import Any

import msgspec

from graphdoctor.diagnosis.measurements import Measurements, Phase, mean_and_spread
from graphdoctor.model.words import count, duration, share
from graphdoctor.recording import Recording

STEADY = 0.5  # a spread of half the mean: beyond it the mean says little, but a busy machine does that too
LENGTHS = ("max_text_length", "max_mel_frames")


class Check(msgspec.Struct, frozen=True):
    """One line: passed (True), failed (False), or nothing to check (None), and why."""

    name: str
    passed: bool | None
    sentence: str


def check_all(
    config: dict[str, Any] | None, measured: Measurements, recording: Recording | None
) -> tuple[Check, ...]:
    """Every line of the checklist, in the order in which a person would look."""
    checks = list(_configuration(config))
    compiled = recording is not None and any(trace.jit_compile for trace in recording.traces)
    for phase in measured.phases:
        checks += [_shapes(phase), _objects(phase), _retraces(phase), _finite(phase)]
        checks.append(_step_time(phase, compiled))
    if measured.error is None and recording is not None:
        checks.append(_compilations(recording))
    if measured.phases:
        checks.append(_lost(measured))
    return tuple(checks)


def _configuration(config: dict[str, Any] | None) -> Iterator[Check]:
    if config is None:
        yield Check("configuration", None, "no --config was given")
        return
    settings = dict(_settings(config))
    if "batch_size" in settings:
        value = settings["batch_size"]
        yield Check("configuration", _is_size(value), f"batch_size is {_shown(value)}")
    for name in LENGTHS:
        if name in settings:
            yield Check("configuration", _is_size(settings[name]), f"{name} is {_shown(settings[name])}")
    if "pad_to_fixed_length" in settings:
        value = settings["pad_to_fixed_length"]
        missing = [name for name in LENGTHS if name not in settings] if value is True else []
        told = f" and needs {' and '.join(missing)}" if missing else ""
        passed = isinstance(value, bool) and not missing
        yield Check("configuration", passed, f"pad_to_fixed_length is {_shown(value)}{told}")


def _settings(config: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    for name, value in config.items():
        if isinstance(value, dict):
            yield from _settings(value)
        else:
            yield name, value


def _is_size(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value > 0


def _shown(value: Any) -> str:
    return (
        {True: "true", False: "false", None: "not set"}.get(value, repr(value))
        if _plain(value)
        else repr(value)
    )


def _plain(value: Any) -> bool:
    return value is None or isinstance(value, bool)


def _shapes(phase: Phase) -> Check:
    name = f"{phase.name}: batch shapes"
    differences = shape_differences(phase)
    if not differences:
        return Check(name, True, f"the same in {count(len(phase.steps), 'step')}")
    told = f"{count(phase.distinct_shapes, 'shape')} in {count(len(phase.steps), 'step')}: "
    told += "; ".join(differences)
    if phase.late_traces == 0:
        return Check(name, True, f"{told}; one trace serves them all")
    return Check(name, None if _few_shapes(phase) else False, told)


def shape_differences(phase: Phase) -> list[str]:
    """Which tensor differs along which axis, and the sizes seen."""
    sizes: dict[tuple[str, int], dict[int | None, None]] = defaultdict(dict)
    ranks: dict[str, set[int]] = defaultdict(set)
    for step in phase.steps:
        for path, shape in step.shapes:
            ranks[path].add(len(shape))
            for axis, size in enumerate(shape):
                sizes[path, axis][size] = None
    told = [
        f"`{path}` has rank {' and '.join(map(str, sorted(r)))}" for path, r in ranks.items() if len(r) > 1
    ]
    for (path, axis), seen in sizes.items():
        if len(seen) > 1 and len(ranks[path]) == 1:
            shown = ", ".join(map(str, list(seen)[:6])) + (", …" if len(seen) > 6 else "")
            told.append(f"`{path}` axis {axis}: {shown}")
    return told


def _few_shapes(phase: Phase) -> bool:
    """Whether the shapes come back, as those of buckets do."""
    return 2 * phase.distinct_shapes <= len(phase.steps)


def _objects(phase: Phase) -> Check:
    name = f"{phase.name}: step inputs"
    found = {leaf.path: leaf.type for step in phase.steps for leaf in step.leaves if leaf.type}
    if not found:
        return Check(name, True, "tensors only")
    told = ", ".join(f"`{path}` is a Python {kind}" for path, kind in found.items())
    return Check(name, False, told)


def _retraces(phase: Phase) -> Check:
    name = f"{phase.name}: traces after the first step"
    if phase.late_traces == 0:
        return Check(name, True, f"none in {count(len(phase.steps), 'step')}")
    seconds = sum(step.tracing_seconds for step in phase.steps[1:])
    told = f"{count(phase.late_traces, 'trace')} ({duration(seconds)}) in {count(len(phase.steps), 'step')}"
    if _few_shapes(phase) and phase.late_traces < phase.distinct_shapes:
        return Check(name, True, f"{told}, one per shape as with buckets")
    return Check(name, False, told)


def _finite(phase: Phase) -> Check:
    bad = [str(number) for number, step in enumerate(phase.steps, 1) if not step.finite]
    name = f"{phase.name}: results"
    if bad:
        return Check(name, False, f"NaN or infinite in step {', '.join(bad)}")
    return Check(name, True, "finite")


def _step_time(phase: Phase, compiled: bool) -> Check:
    name = f"{phase.name}: step time"
    warm = phase.warm(compiled)
    if not warm:
        return Check(name, None, f"not one of {count(len(phase.steps), 'step')} ran warm")
    middle, spread = mean_and_spread(warm)
    told = f"{duration(middle)} ± {duration(spread)} over {count(len(warm), 'warm step')}"
    if spread > STEADY * middle:
        return Check(name, None, f"{told}: unsteady, measure on a quiet machine")
    return Check(name, True, told)


def _compilations(recording: Recording) -> Check:
    name = "XLA compilations"
    behind = recording.compilations
    if not any(trace.jit_compile for trace in recording.traces):
        return Check(name, None, "no step uses jit_compile")
    compiled = sum(len(one.shapes) for one in behind)
    traced = len({one.trace for one in behind})
    extra = sum(shape.first_seconds - shape.best_seconds for one in behind for shape in one.shapes[1:])
    told = f"{count(compiled, 'compilation')} behind {count(traced, 'trace')}"
    if compiled <= traced:
        return Check(name, True, told)
    return Check(name, False, f"{told}: XLA compiles every new shape ({duration(max(extra, 0.0))})")


def _lost(measured: Measurements) -> Check:
    late = sum(step.tracing_seconds for phase in measured.phases for step in phase.steps[1:])
    after = sum(step.seconds for phase in measured.phases for step in phase.steps[1:])
    told = f"{share(late, after)} of the time after the first steps ({duration(late)} of {duration(after)})"
    return Check("time lost to tracing", late <= 0.1 * after if after else None, told)
