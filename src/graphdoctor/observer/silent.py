"""The probes that write events of their own."""

import os

from graphdoctor.observer.branches import SkippedLines
from graphdoctor.observer.conversions import ConversionsProbe
from graphdoctor.observer.edited import EditedSources
from graphdoctor.observer.effects import EffectsProbe
from graphdoctor.observer.errors import ErrorProbe
from graphdoctor.observer.first_variables import FirstVariablesProbe
from graphdoctor.observer.initial_values import InitialValuesProbe
from graphdoctor.observer.keras_calls import KerasCallsProbe
from graphdoctor.observer.leaks import LeakedTensors
from graphdoctor.observer.operations import OperationsProbe
from graphdoctor.observer.pipelines import StalePipelines
from graphdoctor.observer.probe import Emit, Probe
from graphdoctor.observer.stale import StaleValues
from graphdoctor.observer.switches import SwitchesProbe
from graphdoctor.recording.format import AnyEvent


def silent_probes(emit: Emit, calls: bool = False) -> list[Probe]:
    """One of each; with `calls` those that look at every call."""
    emit = _in_this_process(emit)
    skipped = SkippedLines(emit)  # the first of all: what it knows of a trace, others ask when that ends
    always: list[Probe] = [
        EffectsProbe(emit),
        SwitchesProbe(emit),
        ConversionsProbe(emit),
        KerasCallsProbe(emit),
        StalePipelines(emit, skipped),
        FirstVariablesProbe(emit),
        InitialValuesProbe(emit),
        OperationsProbe(emit),
        LeakedTensors(emit),
        EditedSources(emit),
        ErrorProbe(emit),
    ]
    if not calls:
        return [skipped, StaleValues(emit, skipped), *always]
    from graphdoctor.observer.calls import listen_to_all_calls

    return [skipped, *listen_to_all_calls(emit, skipped), *always]


def _in_this_process(emit: Emit) -> Emit:
    """A forked process has our probes too, and must not write into its parent's recording."""
    process = os.getpid()

    def emit_here(event: AnyEvent) -> None:
        if os.getpid() == process:
            emit(event)

    return emit_here
