"""The probes for what goes wrong without a word."""

from collections.abc import Callable

from graphdoctor.observer.edited import EditedSources
from graphdoctor.observer.leaks import LeakedTensors
from graphdoctor.observer.probe import Event, Probe
from graphdoctor.observer.stale import StaleValues


def silent_probes(emit: Callable[[Event], None]) -> list[Probe]:
    """One of each."""
    return [StaleValues(emit), LeakedTensors(emit), EditedSources(emit)]
