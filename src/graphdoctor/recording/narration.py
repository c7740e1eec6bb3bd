"""Traces as they come → one line for each that was needed again."""

from graphdoctor.model.paths import relative_path
from graphdoctor.model.words import duration, printable
from graphdoctor.recording.format import Trace
from graphdoctor.recording.grouping import Group, group_traces
from graphdoctor.recording.history import Explainer
from graphdoctor.recording.selection import Selection
from graphdoctor.recording.wording import reason


class Teller:
    """Remembers what was traced, and says why each later trace was needed."""

    def __init__(self, selection: Selection, directory: str = "") -> None:
        self.directory = directory
        self._selection = selection
        self._explainers: dict[Group, Explainer] = {}
        self._traces: dict[Group, int] = {}

    def tell(self, trace: Trace) -> str | None:
        """The line for a retrace; None for a first trace, a benign one, and one that does not count."""
        for group in group_traces([trace]):
            explainer = self._explainers.setdefault(group, Explainer(group.origin))
            self._traces[group] = number = self._traces.get(group, 0) + 1
            retrace = explainer.explain(trace)
            path = relative_path(group.function.path, self.directory)
            counts = number > self._selection.warmup and self._selection.covers(path)
            if retrace is not None and retrace.label is None and counts:
                place, taken = f"{path}:{group.function.line}", duration(trace.seconds)
                return printable(
                    f"{place}: `{group.function.name}` trace {number} ({taken}): {reason(retrace)}"
                )
        return None
