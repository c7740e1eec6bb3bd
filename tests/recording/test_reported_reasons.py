"""A gradient that a run saw lost, with the reason that only the source shows."""

import pytest

from graphdoctor.recording import Recording
from graphdoctor.recording.format import MAY, MUST, SEEN, Frame, Gradient, Header, Place, Source
from graphdoctor.recording.joining import with_reasons


def gradient(reason: str, reached: str, line: int = 13, sources: int = 2) -> Gradient:
    return Gradient(
        chain=(Frame(function="fit", place=Place(path="train.py", line=line)),),
        reached=reached,
        reason=reason,
        sources=tuple(Source(index=index) for index in range(sources)),
        asked=2,
        broken=Place(path="metrics.py", line=5) if reason == "left" else None,
        operation="numpy.asarray" if reason == "left" else "",
    )


def reasons(run: Gradient, dry: Gradient) -> list[str]:
    seen = Recording(header=Header(recorder="run"), events=(run,))
    reported = Recording(header=Header(recorder="dry run"), events=(dry,))
    (joined,) = with_reasons([seen], [reported])
    return [event.reason for event in joined.of(Gradient)]


@pytest.mark.parametrize(
    ("run", "dry"),
    [
        (gradient("unused", SEEN), gradient("left", MUST, line=14)),
        (gradient("unused", SEEN), gradient("left", MAY)),
        (gradient("unused", SEEN), gradient("outside", MUST)),
        (gradient("unused", SEEN, sources=1), gradient("left", MUST)),
    ],
    ids=["another question", "not for certain", "what a run would see", "others have a gradient"],
)
def test_what_a_run_saw_stays(run: Gradient, dry: Gradient) -> None:
    assert reasons(run, dry) == ["unused"]


def test_what_a_run_explained_stays() -> None:
    assert reasons(gradient("operation", SEEN), gradient("left", MUST)) == ["operation"]


def test_numpy_takes_values_unseen() -> None:
    assert reasons(gradient("unused", SEEN), gradient("left", MUST)) == ["left"]
