"""What a later iteration of a loop finds where an earlier one put another value."""

import ast

import pytest

from graphdoctor.dryrun.core.context import Activation, LoopRun, SourceModule
from graphdoctor.dryrun.values import NOWHERE, Constant, Sequence, Tensor
from graphdoctor.dryrun.values.joining import widen
from graphdoctor.source import parse_module

NUMBERS = Tensor("float32", (2,), NOWHERE)
OTHERS = Tensor("float32", (3,), NOWHERE)


def a_list(length: int | None, element: Tensor) -> Sequence:
    return Sequence("list", None, NOWHERE, element, count=length)


@pytest.fixture
def loop() -> LoopRun:
    module = SourceModule(parse_module("program.py", ""), "program")
    return LoopRun(ast.Pass(), module, None, Activation(None, module.scope, module, 0))


@pytest.mark.parametrize("lengths", [(None, None), (None, 3), (0, None)])
def test_lists_of_unknown_length_do_not_grow(lengths: tuple[int | None, int | None], loop: LoopRun) -> None:
    widened = widen(a_list(lengths[0], NUMBERS), a_list(lengths[1], OTHERS), loop)
    assert isinstance(widened, Sequence)
    assert widened.grows == frozenset()


def test_a_list_that_a_longer_one_replaces_grows(loop: LoopRun) -> None:
    one, two = Constant(1), Constant(2)
    widened = widen(Sequence("list", (one,), NOWHERE), Sequence("list", (one, two), NOWHERE), loop)
    assert isinstance(widened, Sequence)
    assert widened.grows == {loop}
