"""Failures → what failed, each reported once, where it began."""

import dataclasses
from collections.abc import Iterable, Iterator

from graphdoctor.recording.format import Failure, Trace


@dataclasses.dataclass(frozen=True)
class Failed:
    """The same failure, as often as it happened; the last time, and the traces that it ended."""

    failure: Failure
    traces: tuple[Trace, ...] = ()

    @property
    def in_keras(self) -> bool:
        """Whether it left a step that Keras made, which AutoGraph does not convert."""
        return bool(self.traces) and self.traces[-1].origin == "keras"

    @property
    def per_instance(self) -> bool:
        """Whether it left a method that was traced for its instance."""
        return bool(self.traces) and self.traces[-1].per_instance


def what_failed(failures: Iterable[Failure], traces: Iterable[Trace]) -> Iterator[Failed]:
    """Each failure once, at the innermost trace that it ended, else where it ended the program."""
    known = {trace.number: trace for trace in traces}
    all_failures = list(failures)
    texts = {failure.text for failure in all_failures if failure.trace}
    tried = {failure.text: failure.eagerly for failure in all_failures if failure.eagerly}
    groups: dict[object, list[Failure]] = {}
    for failure in all_failures:
        if failure.trace or failure.text not in texts:  # what ended the program began in a trace
            groups.setdefault((failure.text, failure.place), []).append(failure)
    ended = {f.trace: key for key, group in groups.items() for f in group if f.trace in known}
    for key, group in groups.items():
        numbers = {failure.trace for failure in group if failure.trace}
        inside = (number for number, other in ended.items() if other != key)
        if not any(known[number].trace in numbers for number in inside):
            whole = _summed_up(group)
            whole = dataclasses.replace(whole, eagerly=tried.get(whole.text, ""))
            yield Failed(whole, tuple(known[f.trace] for f in group if f.trace in known))


def _summed_up(group: list[Failure]) -> Failure:
    """The last one, with what only an earlier one knew: what ended the program left a library before."""
    return dataclasses.replace(
        group[-1],
        chain=max((failure.chain for failure in group), key=len),
        through=next((failure.through for failure in reversed(group) if failure.through), ""),
        values=next((failure.values for failure in group if failure.values), ()),
        carried=next((failure.carried for failure in group if failure.carried), ()),
        caught=all(failure.caught for failure in group),
    )
