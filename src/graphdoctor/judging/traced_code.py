"""A run → the code that it traced."""

import dataclasses
from collections.abc import Set

from graphdoctor.model import Finding, FunctionRef
from graphdoctor.recording import History
from graphdoctor.source.sites import Sources

SourceLine = tuple[str, int]


@dataclasses.dataclass(frozen=True)
class _Extent:
    """The lines of one file that a function takes."""

    path: str
    first: int
    last: int

    def holds(self, place: SourceLine) -> bool:
        return self.path == place[0] and self.first <= place[1] <= self.last


class TracedCode:
    """The code that ran under a trace: by the functions that were traced, and by what made operations.

    Keras traces a step of its own; which layers and losses of the user's it went through is reported by the
    operations that they left in the graph.
    """

    def __init__(self, reported: tuple[History, ...], sources: Sources) -> None:
        traces = [trace for history in reported for trace in history.traces]
        self._sources = sources
        self._made: Set[SourceLine] = {(line.path, line.line) for trace in traces for line in trace.lines}
        self._functions = {history.function for history in reported}
        self._functions |= {
            ref for ref in (sources.function_around(*line) for line in self._made) if ref is not None
        }
        self._extents = [e for e in map(self._extent, self._functions) if e is not None]
        sites = {trace.place.path for trace in traces if trace.place}
        self.paths = sites | {path for path, _ in self._made} | {f.path for f in self._functions}

    def covers(self, finding: Finding) -> bool:
        """Whether the function of a finding, where the way to it begins, or its own line was traced."""
        if finding.function is None:
            return False
        if finding.function in self._functions:
            return True
        begin, *calls = finding.reached or (None,)
        if begin is None:  # a loss that Keras' own step calls, say
            return (finding.path, finding.line) in self._made
        entry = _Extent(begin.path, begin.line, begin.end_line)
        called_from_traced = any(e.holds((call.path, call.line)) for call in calls for e in self._extents)
        return called_from_traced or any(map(entry.holds, self._made))

    def _extent(self, ref: FunctionRef) -> _Extent | None:
        function = self._sources.function(ref)
        if function is None:
            return None
        return _Extent(ref.path, ref.line, getattr(function.node, "end_lineno", None) or ref.line)
