"""The probes for what goes wrong without a word."""

from collections.abc import Callable

from graphdoctor.observer.edited import EditedSources
from graphdoctor.observer.leaks import LeakedTensors
from graphdoctor.observer.probe import Event, Probe
from graphdoctor.observer.stale import StaleValues


def silent_probes(emit: Callable[[Event], None], calls: bool = False) -> list[Probe]:
    """One of each; with `calls` those that look at every call."""
    always = [LeakedTensors(emit), EditedSources(emit)]
    if not calls:
        return [StaleValues(emit), *always]
    from graphdoctor.observer.calls import listen_to_all_calls

    return [*listen_to_all_calls(emit), *always]
