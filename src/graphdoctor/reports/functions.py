"""What became of each function in the dry runs of `check --recording`: why it is silent about one."""

from collections import Counter
from collections.abc import Iterable, Sequence

from graphdoctor.model.words import printable
from graphdoctor.recording import Recording
from graphdoctor.recording.format import WORDS, Definition, Event, Looked


def render_functions(recordings: Sequence[Recording]) -> str:
    """One line per function: where it is, whether it ran in a graph, and what was seen in it."""
    looked = _once(one for recording in recordings for one in recording.of(Looked))
    seen = _events_by_function(recordings)
    rows = [
        (
            printable(f"{one.function.path}:{one.function.line} {one.function.name}"),
            _how(one),
            _what(one, seen.get(one.function)),
        )
        for one in sorted(looked, key=lambda one: (one.function.path, one.function.line, one.function.name))
    ]
    if not rows:
        return "No function was looked at: these are no recordings of `check --recording`.\n"
    width = max(len(place) for place, _, _ in rows)
    return "".join(f"{place:<{width}}  {how:<7}  {what}".rstrip() + "\n" for place, how, what in rows)


def _once(looked: Iterable[Looked]) -> list[Looked]:
    """Each function as far as the dry run of any file came with it."""
    best: dict[Definition, Looked] = {}
    for one in looked:
        known = best.get(one.function)
        if known is None or (one.traced, not one.skipped) > (known.traced, not known.skipped):
            best[one.function] = one
    return list(best.values())


def _how(looked: Looked) -> str:
    if looked.traced:
        return "traced"
    return "skipped" if looked.skipped else "eager"


def _what(looked: Looked, events: Counter[str] | None) -> str:
    parts = [looked.skipped] if looked.skipped else []
    parts += [f"{word} ×{number}" for word, number in sorted((events or Counter()).items())]
    return ", ".join(parts)


def _events_by_function(recordings: Sequence[Recording]) -> dict[Definition, Counter[str]]:
    found: dict[Definition, Counter[str]] = {}
    for event in (event for recording in recordings for event in recording.events):
        definition = event.chain[-1].definition if isinstance(event, Event) and event.chain else None
        if definition is not None:
            found.setdefault(definition, Counter())[WORDS[type(event)]] += 1
    return found
