"""A project's modules → the recording of a dry run."""

import ast
import gc
from typing import cast

import graphdoctor.dryrun.control.conditions
import graphdoctor.dryrun.control.generators
import graphdoctor.dryrun.control.loops
import graphdoctor.dryrun.control.with_statements
import graphdoctor.dryrun.core.calls
import graphdoctor.dryrun.core.definitions
import graphdoctor.dryrun.core.expressions
import graphdoctor.dryrun.core.function_bodies
import graphdoctor.dryrun.core.imports
import graphdoctor.dryrun.core.statements
import graphdoctor.dryrun.libraries.registration  # noqa: F401
from graphdoctor.dryrun.core.coverage import look_back
from graphdoctor.dryrun.core.entry_points import run_module, start
from graphdoctor.dryrun.core.event_log import Log
from graphdoctor.dryrun.core.machine import Machine
from graphdoctor.dryrun.core.program import MODULE_STEPS, Program
from graphdoctor.dryrun.core.recursion_limit import with_deep_calls
from graphdoctor.dryrun.core.relevance import reaches_tensorflow
from graphdoctor.recording.format import (
    DRY_RUN,
    WORDS,
    AnyEvent,
    Applied,
    Calls,
    Effect,
    Escape,
    Gradient,
    Header,
    LibraryCall,
    Made,
    Staging,
    Stale,
    Trace,
    Use,
)
from graphdoctor.recording.recording import Recording
from graphdoctor.source.depth import deep_calls
from graphdoctor.source.project import Project
from graphdoctor.version import __version__

SEES = (Trace, Calls, Effect, Stale, Staging, Escape, Use, Made, Applied, LibraryCall, Gradient)


class DryRun:
    """The dry runs of a project's modules: each starts from the heap after its imports."""

    def __init__(self, project: Project) -> None:
        self._project = project
        self._machine: Machine | None = None
        self._forgotten = 0

    def record(self, path: str) -> Recording:
        """What the program in a file, and the functions in it, would do when TensorFlow traced them."""
        log = Log()
        with deep_calls():
            with_deep_calls(lambda: self._run(path, log))
        header = Header(
            recorder=DRY_RUN,
            graphdoctor=__version__,
            sees=tuple(WORDS[kind] for kind in SEES),
            program=(path,),
        )
        events = cast(tuple[AnyEvent, ...], (*log.events, *log.looked.values()))
        return Recording(header=header, events=events)

    def _run(self, path: str, log: Log) -> None:
        project, machine = self._project, self._machine
        if machine is None or self._forgotten != project.forgotten:
            if machine is not None:
                machine.let_go()
                self._machine = machine = None
                gc.collect()  # what still refers to itself is little now
            machine = self._machine = Machine(Program(project), Log())
            self._forgotten = project.forgotten
        root = machine.program.begin(path)
        if root is None:
            return
        machine.attach(Log())
        for node in root.syntax.tree.body:
            if isinstance(node, (ast.Import, ast.ImportFrom)):
                start(machine, MODULE_STEPS, lambda node=node: machine.program.prepare(machine, root, node))  # type: ignore[misc]
        machine.attach(log)
        if reaches_tensorflow(
            known.text for each in project.dependencies() if (known := project.known(each))
        ):
            machine.heap.undone(lambda: run_module(machine, root))
        log.finish()
        look_back(log, root)


def record(project: Project, path: str) -> Recording:
    """The recording of a dry run of one file of a project."""
    if DryRun not in project.attached:
        project.attached[DryRun] = DryRun(project)
    return cast(DryRun, project.attached[DryRun]).record(path)
