"""Remarks beside the proof: what it does not cover, and side effects of running the program."""

from collections.abc import Iterator

from graphdoctor.fixing.copies import Place
from graphdoctor.fixing.search import Search
from graphdoctor.fixing.trials import INTERRUPTED, TIME_LIMIT
from graphdoctor.model.words import count

MOST_NAMED = 3


def remarks_on(search: Search, place: Place, timeout: float | None, stopped: bool) -> tuple[str, ...]:
    """The remarks that apply."""
    return tuple(_remarks(search, place, timeout, stopped))


def _remarks(search: Search, place: Place, timeout: float | None, stopped: bool) -> Iterator[str]:
    original = search.original
    assert original is not None
    if original.report is None:
        if original.ended.status:
            yield f"the program died before it imported TensorFlow: {original.error}"
        elif not original.ended.stopped:
            yield "the program did not import TensorFlow: there is nothing to fix"
    elif original.ended.status and not original.measured.traces and not original.report.findings:
        yield f"the program died before anything was traced: {original.error}"
    if original.ended.stopped == TIME_LIMIT:
        yield f"each run was stopped after {timeout:g} s: the proof covers what ran until then"
    if original.ended.stopped == INTERRUPTED:
        yield "Ctrl-C stopped the program: these are the findings so far, no edit was tried"
    elif stopped:
        yield "Ctrl-C: this is the proof so far; other edits were not tried"
    if original.witnessed.asked:
        yield "the program asks for input: each run got the input of the first"
    if original.witnessed.written:
        yield f"the program writes outside of its directory, in each run: {_some(original.witnessed.written)}"
    if place.large:
        yield f"large files are linked, not copied; a run may change them: {_some(place.large)}"


def _some(paths: tuple[str, ...]) -> str:
    more = len(paths) - MOST_NAMED
    return ", ".join(paths[:MOST_NAMED]) + (f" and {count(more, 'other')}" if more > 0 else "")
