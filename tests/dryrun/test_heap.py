"""The journal of changes: what is undone, and what nobody needs to remember."""

import pytest

from graphdoctor.dryrun.control.flow import NEXT, Flow
from graphdoctor.dryrun.core.heap import Heap


def names_of_a_call(heap: Heap) -> dict[str, int]:
    cells: dict[str, int] = {}
    heap.begin(cells)
    return cells


def test_what_a_call_does_to_its_own_names_is_not_reported_to_who_watches_from_outside() -> None:
    heap, outer = Heap(), {"x": 1}
    with heap.watched() as changes:
        cells = names_of_a_call(heap)
        heap.put(cells, "y", 1)
        heap.put(cells, "y", 2)
        heap.put(outer, "x", 2)
        heap.end(cells)
        assert [(change.key, change.before) for change in changes().values()] == [("x", 1)]


def test_what_begins_inside_a_call_undoes_its_names() -> None:
    heap = Heap()
    with heap.watched():
        cells = names_of_a_call(heap)
        heap.put(cells, "y", 1)

        def action() -> Flow:
            heap.put(cells, "y", 2)
            return NEXT

        _, changes = heap.attempt(action)
        assert cells == {"y": 1}
        assert [(change.before, change.after) for change in changes.values()] == [(1, 2)]


def test_a_loop_in_a_call_reports_its_names_only_while_it_runs() -> None:
    heap, outer = Heap(), {"x": 1}
    with heap.watched() as changes:
        cells = names_of_a_call(heap)
        heap.put(cells, "y", 1)
        with heap.watched() as in_loop:
            heap.put(cells, "y", 2)
            heap.put(outer, "x", 2)
            assert {change.key for change in in_loop().values()} == {"x", "y"}
        assert {change.key for change in changes().values()} == {"x"}
        heap.end(cells)


def test_all_else_is_undone() -> None:
    heap, outer = Heap(), {"x": 1}

    def action() -> None:
        cells = names_of_a_call(heap)
        heap.put(cells, "y", 1)
        heap.put(outer, "x", 2)
        heap.remove(outer, "x")
        heap.end(cells)

    heap.undone(action)
    assert outer == {"x": 1}


@pytest.mark.parametrize("depth", [10, 1_000])
def test_there_is_room_for_deep_calls(depth: int) -> None:
    from graphdoctor.dryrun.core.recursion_limit import with_deep_calls

    reached = []

    def down(left: int) -> None:
        if left:
            down(left - 1)
        else:
            reached.append(depth)

    with_deep_calls(lambda: down(depth // 2))
    assert reached == [depth]
    with pytest.raises(ZeroDivisionError):
        with_deep_calls(lambda: reached.append(1 // 0))
