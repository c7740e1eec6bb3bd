"""An effect that the dry run foretells, with and without the figures of a run."""

from graphdoctor.recording import Recording
from graphdoctor.recording.format import DRY_RUN, MUST, Effect, Header
from graphdoctor.rules.facts import Facts
from graphdoctor.rules.side_effects import OnceOnly, once_only
from making import make_recording, make_trace, tensor


def told(calls: int | None) -> OnceOnly | None:
    trace = make_trace(tensor("x", 3), number=1, reached=MUST)
    effect = Effect(what="print", name="print", trace=1, reached=MUST)
    recordings = [Recording(header=Header(recorder=DRY_RUN), events=(trace, effect))]
    if calls is not None:
        recordings.append(make_recording(make_trace(tensor("x", 3), number=1), calls=calls))
    facts = Facts(recordings)
    (event,) = facts.of(Effect)
    return once_only(facts, event, "`print`")


def test_without_a_run_it_is_said_what_will_happen() -> None:
    found = told(None)
    assert found is not None
    assert found.message == "`print` runs only while `step` is traced, not at each call"
    assert (found.observed, found.event.reached) == (None, MUST)


def test_a_run_bears_it_out_with_its_figures() -> None:
    found = told(7)
    assert found is not None
    assert found.message == "`print` ran in 1 of 7 calls: only while `step` was traced"
    assert found.observed is not None
    assert (found.observed.calls, found.event.reached, found.event.foretold) == (6, "seen", True)


def test_a_run_with_one_call_shows_nothing() -> None:
    found = told(1)
    assert found is not None
    assert found.observed is None


def test_an_effect_outside_of_every_trace_is_no_matter() -> None:
    effect = Effect(what="print", name="print", reached=MUST)
    facts = Facts([Recording(header=Header(recorder=DRY_RUN), events=(effect,))])
    assert once_only(facts, effect, "`print`") is None
