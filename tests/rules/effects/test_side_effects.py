"""An effect that the dry run predicts, with and without the figures of a run."""

from tests.making import make_recording, make_trace, tensor

from graphdoctor.config import Config
from graphdoctor.judging import judge
from graphdoctor.model import Evidence, Finding
from graphdoctor.recording import Recording
from graphdoctor.recording.format import DRY_RUN, MUST, Effect, Frame, Header, Place
from graphdoctor.source.sites import Sources

CHAIN = (Frame(function="step", place=Place(path="train.py", line=5, column=5, end_line=5, end_column=13)),)


def found(trace: int, calls: int | None) -> list[Finding]:
    effect = Effect(what="print", name="print", trace=trace, reached=MUST, chain=CHAIN)
    traced = make_trace(tensor("x", 3), number=1, reached=MUST)
    recordings = [Recording(header=Header(recorder=DRY_RUN), events=(traced, effect))]
    if calls is not None:
        recordings.append(make_recording(make_trace(tensor("x", 3), number=1), calls=calls))
    return judge(recordings, Sources(), Config())


def test_an_effect_outside_of_every_trace_is_no_matter() -> None:
    assert found(0, None) == []


def test_a_run_with_one_call_shows_nothing() -> None:
    (finding,) = found(1, 1)
    assert (finding.observed, finding.evidence) == (None, Evidence.SOURCE)


def test_without_a_run_it_is_said_what_will_happen() -> None:
    (finding,) = found(1, None)
    assert finding.message == "`print` runs only while `step` is traced, not at each call"
    assert (finding.observed, finding.evidence) == (None, Evidence.SOURCE)


def test_a_run_bears_it_out_with_its_figures() -> None:
    (finding,) = found(1, 7)
    assert finding.message == "`print` ran in 1 of 7 calls: only while `step` was traced"
    assert finding.evidence is Evidence.BOTH
    assert finding.observed is not None
    assert finding.observed.calls == 6
