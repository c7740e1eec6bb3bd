"""Which loops wait for Python to make their next element: stacks of this file's own functions."""

import sys
from collections.abc import Callable, Iterator

import pytest

from graphdoctor.observer.timing.loops import Loops


def _made(look: Callable[[], None]) -> Iterator[int]:
    for number in range(2):
        look()
        yield number


class _Loader:
    def __init__(self, look: Callable[[], None]) -> None:
        self.look = look

    def __getitem__(self, index: int) -> int:
        if index > 1:
            raise IndexError
        self.look()
        return index


def _over_a_generator(look: Callable[[], None]) -> None:
    for _ in _made(look):
        pass


def _over_a_loader(look: Callable[[], None]) -> None:
    for _ in enumerate(_Loader(look)):
        pass


def _in_the_body(look: Callable[[], None]) -> None:
    for _ in range(2):
        look()


def _asked_for_one(look: Callable[[], None]) -> None:
    next(_made(look))


def _seen(train: Callable[[Callable[[], None]], None], trains: bool) -> set[bool]:
    """What is seen of the stack while `train` runs, where it counts as training code, or not."""
    loops, found = Loops(), set()

    def look() -> None:
        frame = sys._getframe(1)
        outer = frame
        while outer is not None and outer.f_code is not train.__code__:
            outer = outer.f_back  # type: ignore[assignment]
        if trains:
            loops.train(outer)
        found.add(loops.draws(frame))

    train(look)
    return found


@pytest.mark.parametrize("train", [_over_a_generator, _over_a_loader])
def test_a_training_loop_waits_for_python_that_makes_its_next_element(train) -> None:
    assert _seen(train, trains=True) == {True}


@pytest.mark.parametrize("train", [_over_a_generator, _over_a_loader])
def test_a_loop_that_does_not_train_waits_for_nothing(train) -> None:
    assert _seen(train, trains=False) == {False}


@pytest.mark.parametrize("train", [_in_the_body, _asked_for_one])
def test_what_the_body_does_is_no_wait(train) -> None:
    assert _seen(train, trains=True) == {False}
