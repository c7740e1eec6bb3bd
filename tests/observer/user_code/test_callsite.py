"""Frames of Python and of AutoGraph → the user's chain."""

from traceback import FrameSummary

import pytest

from graphdoctor.observer.user_code.callsite import chain_of


@pytest.mark.parametrize("name", ["", "None"])
def test_the_code_that_autograph_makes_of_a_lambda_is_a_lambda(name: str) -> None:
    frames = [FrameSummary("train.py", 8, "<module>"), FrameSummary("train.py", 7, name)]
    assert [(frame.function, frame.place.line) for frame in chain_of(frames)] == [
        ("<module>", 8),
        ("<lambda>", 7),
    ]


def test_other_names_stay() -> None:
    assert [frame.function for frame in chain_of([FrameSummary("train.py", 3, "Nonesuch")])] == ["Nonesuch"]
