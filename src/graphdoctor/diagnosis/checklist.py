"""The checklist before a long run: each line checked on what was measured, none assumed."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

from graphdoctor.diagnosis.advice import LEAST_WAIT, compiling_seconds
from graphdoctor.diagnosis.configuration import Check, check_configuration
from graphdoctor.diagnosis.measurements import Measurements, Part, Phase, mean_and_spread
from graphdoctor.model.words import count, duration, share
from graphdoctor.recording import Recording
from graphdoctor.recording.format import COMPILING, DEVICE_WAIT, GRAPH_EXECUTION, OBSERVER, TRACING
from graphdoctor.recording.training_time import LEAST_GRAPH, MOST_INPUT

STEADY = 0.5  # a spread of half the mean: beyond it the mean says little, but a busy machine does that too
MOST_LOST = 0.1  # of the time after the first steps
LEAST_SAMPLED = 0.1  # fewer seconds of samples tell nothing
OF_THE_MODEL = (GRAPH_EXECUTION, DEVICE_WAIT, COMPILING)
NO_GRAPH = "nothing runs as a graph: decorate the steps with `@tf.function`"
ONE_BATCH = "each epoch had one batch, whose wait also builds the pipeline"
ONLY_ONE = "there was only one step: nothing to compare it with"


def check_all(
    config: dict[str, Any] | None, measured: Measurements, recording: Recording | None
) -> tuple[Check, ...]:
    """Every line of the checklist, in the order in which a person would look."""
    compiled = recording is not None and any(trace.jit_compile for trace in recording.traces)
    checks = list(check_configuration(config, measured, compiled))
    for phase in measured.phases:
        checks += [_shapes(phase), _objects(phase), _retraces(phase), _finite(phase)]
        checks += [_first_step(phase, compiled), _step_time(phase, compiled)]
        checks += [_input(phase), _parts(phase)]
    if measured.error is None and recording is not None:
        checks.append(_compilations(recording))
    if measured.phases:
        checks.append(_lost(measured, compiled))
    return tuple(checks)


def _shapes(phase: Phase) -> Check:
    name = f"{phase.name}: batch shapes"
    if len(phase.steps) == 1:
        return Check(name, None, ONLY_ONE)
    differences = shape_differences(phase)
    if not differences:
        return Check(name, True, f"the same in {count(len(phase.steps), 'step')}")
    text = f"{count(phase.distinct_shapes, 'shape')} in {count(len(phase.steps), 'step')}: "
    text += "; ".join(differences)
    if not phase.in_graph:
        return Check(name, None, f"{text}; nothing was traced for them")
    if phase.settled:
        return Check(name, True, f"{text}; one trace serves them all")
    return Check(name, None if _few_shapes(phase) else False, text)


def shape_differences(phase: Phase) -> list[str]:
    """Which tensor differs along which axis, and the sizes seen."""
    sizes: dict[tuple[str, int], dict[int | None, None]] = defaultdict(dict)
    ranks: dict[str, set[int]] = defaultdict(set)
    for step in phase.steps:
        for path, shape in step.shapes:
            ranks[path].add(len(shape))
            for axis, size in enumerate(shape):
                sizes[path, axis][size] = None
    found = [
        f"`{path}` has rank {' and '.join(map(str, sorted(r)))}" for path, r in ranks.items() if len(r) > 1
    ]
    for (path, axis), seen in sizes.items():
        if len(seen) > 1 and len(ranks[path]) == 1:
            shown = ", ".join(map(str, list(seen)[:6])) + (", …" if len(seen) > 6 else "")
            found.append(f"`{path}` axis {axis}: {shown}")
    return found


def _few_shapes(phase: Phase) -> bool:
    """Whether the shapes come back, as those of buckets do."""
    return 2 * phase.distinct_shapes <= len(phase.steps)


def _objects(phase: Phase) -> Check:
    name = f"{phase.name}: step inputs"
    found = {leaf.path: leaf.type for step in phase.steps for leaf in step.leaves if leaf.type}
    if not found:
        return Check(name, True, "tensors only")
    text = ", ".join(f"`{path}` is a Python {kind}" for path, kind in found.items())
    return Check(name, False, text)


def _retraces(phase: Phase) -> Check:
    name = f"{phase.name}: traces after the first step"
    if not phase.in_graph:
        return Check(name, None, "no tf.function was traced: the steps run eagerly")
    if len(phase.steps) == 1:
        return Check(name, None, ONLY_ONE)
    if phase.late_traces == 0:
        return Check(name, True, f"none in {count(len(phase.steps), 'step')}")
    seconds = sum(step.tracing_seconds for step in phase.steps[1:])
    text = f"{count(phase.late_traces, 'trace')} ({duration(seconds)}) in {count(len(phase.steps), 'step')}"
    if _few_shapes(phase) and phase.late_traces < phase.distinct_shapes:
        return Check(name, True, f"{text}, one per shape as with buckets")
    if phase.settled:
        return Check(name, True, f"{text}, which then took every shape")
    return Check(name, False, text)


def _finite(phase: Phase) -> Check:
    bad = [number for number, step in enumerate(phase.steps, 1) if not step.finite]
    name = f"{phase.name}: results"
    if bad:
        text = f"NaN or infinite in {len(bad)} of {count(len(phase.steps), 'step')}, first in step {bad[0]}"
        return Check(name, False, text)
    return Check(name, True, "finite")


def _first_step(phase: Phase, compiled: bool) -> Check:
    """What the first step cost, and how much of it was tracing."""
    first = phase.steps[0]
    text = duration(first.seconds)
    if first.traces:
        text += f", {duration(first.tracing_seconds)} of it for {count(first.traces, 'trace')}"
    warm = phase.warm_seconds(compiled)
    if warm and mean_and_spread(warm)[0] > 0:
        text += f": as much as {first.seconds / mean_and_spread(warm)[0]:,.0f} warm steps"
    return Check(f"{phase.name}: first step", None, text)


def _step_time(phase: Phase, compiled: bool) -> Check:
    name = f"{phase.name}: step time"
    seconds = phase.warm_seconds(compiled)
    if not seconds:
        return Check(name, None, f"not one of {count(len(phase.steps), 'step')} ran warm")
    middle, spread = mean_and_spread(seconds)
    which = count(len(seconds), "warm step")
    if not phase.warm(compiled):
        which = f"{count(len(seconds), 'repetition')} of the last batch: every step had another shape"
    text = f"{duration(middle)} ± {duration(spread)} over {which}"
    if spread > STEADY * middle:
        return Check(name, None, f"{text}: unsteady, measure on a quiet machine")
    return Check(name, True, text)


def _input(phase: Phase) -> Check:
    """Whether the steps wait for their batches."""
    name = f"{phase.name}: waiting for input"
    if len(phase.steps) == 1:
        return Check(name, None, ONLY_ONE, missing=_decides(phase))
    known = phase.input_wait
    if known is None and phase.pulls_input:
        return Check(name, None, "could not be measured", missing=_decides(phase))
    if known is None:
        return Check(name, None, ONE_BATCH)
    wait, part = known
    text = f"{duration(wait)} per step ({part:.0%} of the time)".replace("%", " %")
    return Check(name, wait < LEAST_WAIT or part < MOST_INPUT, text)


def _decides(phase: Phase) -> bool:
    """Whether a long run consists of these steps."""
    return phase.name == "train"


def _parts(phase: Phase) -> Check:
    """Whether the time inside a step is mostly that of a graph."""
    name = f"{phase.name}: graph execution"
    sampled = inside_steps(phase)
    total = sum(part.seconds for part in sampled.values())
    if total < LEAST_SAMPLED:
        short = "the later steps are too short to see what they are made of"
        seen = Check(name, None, short, missing=_decides(phase))
        return seen if phase.in_graph else Check(name, False, NO_GRAPH)
    in_graph = sum(sampled[one].seconds for one in OF_THE_MODEL if one in sampled)
    if in_graph > LEAST_GRAPH * total:
        with_wait = ", with its wait for input" if phase.pulls_input else ""
        return Check(name, True, f"{share(in_graph, total)} of the time inside the later steps{with_wait}")
    largest = max(sampled, key=lambda one: sampled[one].seconds)
    part = sampled[largest]
    where = f" ({part.path}:{part.line})" if part.path else ""
    text = f"{share(in_graph, total)} of the time inside the later steps; "
    return Check(name, False, f"{text}{largest}{where} {share(part.seconds, total)}")


def inside_steps(phase: Phase) -> dict[str, Part]:
    """The parts of the time inside the later steps, without what is checked by its exact time elsewhere."""
    return {name: part for name, part in phase.parts.items() if name not in (TRACING, OBSERVER)}


def _compilations(recording: Recording) -> Check:
    name = "XLA compilations"
    behind = recording.compilations
    if not any(trace.jit_compile for trace in recording.traces):
        return Check(name, None, "no step uses jit_compile")
    compiled = sum(len(one.shapes) for one in behind)
    traced = len({one.trace for one in behind})
    text = f"{count(compiled, 'compilation')} behind {count(traced, 'trace')}"
    if compiled <= traced:
        return Check(name, True, text)
    extra = sum(compiling_seconds(one) for one in behind)
    came_back = sum(shape.calls > 1 for one in behind for shape in one.shapes)
    if 2 * came_back > compiled:
        return Check(name, True, f"{text} ({duration(extra)}), one per shape as with buckets")
    return Check(name, False, f"{text}: XLA compiles every new shape ({duration(extra)})")


def _lost(measured: Measurements, compiled: bool) -> Check:
    lost = sum(phase.lost(compiled) for phase in measured.phases)
    after = sum(step.seconds for phase in measured.phases for step in phase.steps[1:])
    name = "time lost to tracing" + (" and compiling" if compiled else "")
    if not after:
        return Check(name, None, ONLY_ONE)
    text = f"{share(lost, after)} of the time after the first steps ({duration(lost)} of {duration(after)})"
    return Check(name, lost <= MOST_LOST * after, text)
