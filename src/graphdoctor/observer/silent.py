"""The probes for what goes wrong without a word."""

import os
from collections.abc import Callable

from graphdoctor.observer.edited import EditedSources
from graphdoctor.observer.leaks import LeakedTensors
from graphdoctor.observer.probe import Event, Probe
from graphdoctor.observer.stale import StaleValues


def silent_probes(emit: Callable[[Event], None], calls: bool = False) -> list[Probe]:
    """One of each; with `calls` those that look at every call."""
    emit = _in_this_process(emit)
    always = [LeakedTensors(emit), EditedSources(emit)]
    if not calls:
        return [StaleValues(emit), *always]
    from graphdoctor.observer.calls import listen_to_all_calls

    return [*listen_to_all_calls(emit), *always]


def _in_this_process(emit: Callable[[Event], None]) -> Callable[[Event], None]:
    """A forked process has our probes too, and must not write into its parent's recording."""
    process = os.getpid()

    def emit_here(event: Event) -> None:
        if os.getpid() == process:
            emit(event)

    return emit_here
