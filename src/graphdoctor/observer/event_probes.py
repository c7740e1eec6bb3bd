"""The probes that write events of their own."""

import os

from graphdoctor.observer.calls.keras_calls import KerasCallsProbe
from graphdoctor.observer.calls.switches import SwitchesProbe
from graphdoctor.observer.captured_state.leaks import LeakedTensors
from graphdoctor.observer.captured_state.pipelines import StalePipelines
from graphdoctor.observer.captured_state.stale_calls import StaleValues
from graphdoctor.observer.effects.effects import EffectsProbe
from graphdoctor.observer.failures.errors import ErrorProbe
from graphdoctor.observer.graphs.failed_conversions import ConversionsProbe
from graphdoctor.observer.graphs.first_variables import FirstVariablesProbe
from graphdoctor.observer.graphs.initial_values import InitialValuesProbe
from graphdoctor.observer.graphs.operations import OperationsProbe
from graphdoctor.observer.probe import Emit, Probe
from graphdoctor.observer.user_code.branches import SkippedLines
from graphdoctor.observer.user_code.edited_files import EditedSources
from graphdoctor.recording.format import AnyEvent


def event_probes(emit: Emit, calls: bool = False) -> list[Probe]:
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
    from graphdoctor.observer.calls.every_call import listen_to_all_calls

    return [skipped, *listen_to_all_calls(emit, skipped), *always]


def _in_this_process(emit: Emit) -> Emit:
    """A forked process has our probes too, and must not write into its parent's recording."""
    process = os.getpid()

    def emit_here(event: AnyEvent) -> None:
        if os.getpid() == process:
            emit(event)

    return emit_here
