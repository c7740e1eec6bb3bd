"""What the rules about changed captures share: the notes of a run, added up and put into words."""

from collections.abc import Iterator

from msgspec.structs import replace

from graphdoctor.model import Change, Difference, Observed
from graphdoctor.model.words import count
from graphdoctor.recording import History, Stale

LONGEST_VALUE = 60


def stale_captures(history: History, kind: str) -> Iterator[Stale]:
    """The last word on each capture of a function; what several traces tell is added up."""
    latest: dict[tuple[str, str, int], dict[tuple[int, int], Stale]] = {}
    for note in history.notes:
        if isinstance(note, Stale) and note.kind == kind:
            latest.setdefault((note.name, note.path, note.line), {})[note.object, note.trace] = note
    for by_object in latest.values():
        *_, last = by_object.values()
        yield replace(last, calls=sum(note.calls for note in by_object.values()))


def message(history: History, note: Stale) -> str:
    """What happened, in one sentence."""
    then, now = shortened(note.then), shortened(note.now)
    where = "" if note.function == history.function.name else f" (read in `{note.function}`)"
    return (
        f"`{history.function.name}` was traced with `{note.name}` = {then}{where}; it became {now}, "
        f"and {count(note.calls, 'call')} still used {then}"
    )


def observed(note: Stale) -> Observed:
    """The figures of one changed capture."""
    difference = Difference(
        argument=note.name,
        change=Change.PYTHON_VALUE,
        before=shortened(note.then),
        now=shortened(note.now),
    )
    return Observed(traces=0, seconds=0.0, calls=note.calls, differences=(difference,))


def shortened(text: str) -> str:
    """A value's text, cut to what a sentence bears."""
    return text if len(text) <= LONGEST_VALUE else text[: LONGEST_VALUE - 1] + "…"
