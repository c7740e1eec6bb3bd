"""Objects that `with` opens: tapes, `init_scope`, strategies, and those that change nothing."""

from __future__ import annotations

import ast
from collections.abc import Callable

from graphdoctor.dryrun.core.machine import Machine
from graphdoctor.dryrun.values import LibraryObject, Tape, Value


def enter_library(
    machine: Machine, manager: Tape | LibraryObject, node: ast.AST
) -> tuple[Value, Callable[[], None]]:
    """What `with` gives, and what happens at its end."""
    if isinstance(manager, Tape):
        open_tape(machine, manager)
        return manager, lambda: close_tape(machine, manager)
    if manager.kind == "stop recording":
        tape = manager.arguments["tape"]
        assert isinstance(tape, Tape)
        machine.paused.append(tape)
        return manager, lambda: machine.paused.remove(tape)
    if manager.kind == "temporary directory":
        return manager.cells["name"], lambda: None
    if manager.kind == "init scope":
        machine.enter_graph(None)

        def leave() -> None:
            machine.leave_graph()

        return manager, leave
    return manager, lambda: None


def open_tape(machine: Machine, tape: Tape) -> None:
    """A tape records from now on, also what it is opened for again."""
    machine.heap.put(tape.cells, "open", True)
    machine.tapes = [*machine.tapes, tape]


def close_tape(machine: Machine, tape: Tape) -> None:
    """A tape records no longer."""
    machine.tapes = [each for each in machine.tapes if each is not tape]
    machine.heap.put(tape.cells, "open", False)
    machine.heap.put(tape.cells, "closed", True)
