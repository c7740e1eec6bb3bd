"""Tens of thousands of traces: the work grows with their number, not with its square."""

from collections.abc import Callable
from typing import Any

import pytest
from tests.making import make_recording, make_trace, tensor, thing, value

from graphdoctor.config import Config
from graphdoctor.judging import judge_recordings
from graphdoctor.recording import Trace, differences, labels, nearest
from graphdoctor.recording.format import Definition


class Counted:
    """A function that knows how often it was called."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self.function = function
        self.calls = 0

    def __call__(self, *arguments: Any) -> Any:
        self.calls += 1
        return self.function(*arguments)


Make = Callable[[int], Trace]
RUNS: dict[str, tuple[int, Make]] = {
    "a counter": (20_000, lambda n: make_trace(tensor("x", 3), value("step", n))),
    "shapes": (5_000, lambda n: make_trace(tensor("x", n % 977, n % 31))),
    "new objects": (5_000, lambda n: make_trace(thing("config", n + 1), dead_objects=(n,))),
    "new functions": (5_000, lambda n: make_trace(tensor("x", 3), object=n + 1)),
    "functions": (
        5_000,
        lambda n: make_trace(value("k", n // 500), function=Definition(name="f", path="f.py", line=n % 500)),
    ),
}


@pytest.mark.parametrize(("many", "make"), RUNS.values(), ids=RUNS)
def test_the_work_is_in_proportion(monkeypatch: pytest.MonkeyPatch, many: int, make: Make) -> None:
    quick, thorough = Counted(nearest.distance), Counted(differences._compare)
    sizes = Counted(labels._batch_sizes)
    monkeypatch.setattr(nearest, "distance", quick)
    monkeypatch.setattr(differences, "_compare", thorough)
    monkeypatch.setattr(labels, "_batch_sizes", sizes)
    report = judge_recordings((make_recording(*map(make, range(many))),), Config())
    assert sum(function.traces for function in report.functions) == many
    assert sum(function.retraces for function in report.functions) == many - len(report.functions)
    assert quick.calls < 75 * many
    assert thorough.calls <= many
    assert sizes.calls < 5 * many


def test_no_horizon_grows_with_the_square() -> None:
    looked_at = sum(map(nearest.horizon, range(100_000)))
    assert looked_at < 13 * 100_000
