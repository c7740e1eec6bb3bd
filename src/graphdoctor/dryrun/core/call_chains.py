"""Call chains, as a recording has them: places, definitions, loops, and the calls that lead there."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from graphdoctor.dryrun.core.context import Activation, LoopRun, SourceModule
from graphdoctor.dryrun.staleness.rare_iterations import is_seldom, waits
from graphdoctor.dryrun.values import Function, Origin
from graphdoctor.recording.format import CALLER, PROGRAM, Definition, Frame, Loop, Place

if TYPE_CHECKING:
    from graphdoctor.dryrun.core.machine import Machine


class Chains:
    """Names nodes, functions, loops and calls of the machine as recordings do."""

    machine: Machine

    def place(self, node: ast.AST, module: SourceModule | None = None) -> Place:
        """Where a node of a module is; of what stands for a library, the user's line that calls it."""
        module = module or self.machine.module
        if module.transparent:
            node, module = self._caller(node, module)
        known = module.places.get(node)
        if known is None:
            span = module.syntax.span(node)
            known = module.places[node] = Place(
                path=span.path,
                line=span.line,
                column=span.column,
                end_line=span.end_line,
                end_column=span.end_column,
                cell=span.cell,
            )
        return known

    def _caller(self, node: ast.AST, module: SourceModule) -> tuple[ast.AST, SourceModule]:
        """The innermost node of the user's that is under way."""
        for each in reversed(self.machine.activations):
            if not each.module.transparent and each.node is not None:
                return each.node, each.module
        return node, module

    def place_of(self, origin: Origin) -> Place | None:
        """Where something was made."""
        if origin.module is None or origin.node is None or not hasattr(origin.node, "lineno"):
            return None
        return self.place(origin.node, origin.module)

    def loop(self, run: LoopRun, at: ast.AST | None = None) -> Loop:
        """A loop around a place, as a recording names it."""
        seldom = at is not None and is_seldom(run, at)
        return Loop(
            place=self.place(run.node, run.module),
            turns=run.count,
            graph=run.graph,
            seldom=seldom,
            waits=at is not None and waits(run.node),
        )

    def definition(self, function: Function) -> Definition:
        """A function, as a recording names it."""
        return self.definition_at(function.node, function.module)

    def definition_at(self, node: ast.AST, module: SourceModule) -> Definition:
        """The function that a node defines, as a recording names it."""
        known = module.definitions.get(node)
        if known is None:
            decorators = getattr(node, "decorator_list", [])
            line = self.place(decorators[0] if decorators else node, module).line
            name = module.syntax.name_of(node)
            known = module.definitions[node] = Definition(name=name, path=module.path, line=line)
        return known

    def chain(self, node: ast.AST) -> tuple[Frame, ...]:
        """The calls that lead to a node of the innermost function, outermost first."""
        frames: list[Frame] = []
        activations = [each for each in self.machine.activations if not each.module.transparent]
        if self.machine.module.transparent:
            node = self._caller(node, self.machine.module)[0]
        for position, activation in enumerate(activations):
            last = position == len(activations) - 1
            at = node if last else activation.node
            if at is None or not hasattr(at, "lineno"):
                continue
            end = len(self.machine.loops) if last else activations[position + 1].first_loop
            frames.append(self._frame(activation, at, end))
        return tuple(frames)

    def _frame(self, activation: Activation, at: ast.AST, end: int) -> Frame:
        function = activation.function
        loops = [loop for loop in self.machine.loops[activation.first_loop : end] if not loop.driver]
        key = (at, loops, activation.entered)
        if activation.frame is not None and activation.frame[0] == key:
            return activation.frame[1]  # what a call does, it does at one place of its caller
        definition = self.definition(function) if function is not None else None
        frame = Frame(
            function=definition.name if definition is not None else self._outermost(),
            place=self.place(at, activation.module),
            definition=definition,
            loops=tuple([self.loop(run, at) for run in loops]),
            entered=activation.entered,
        )
        if function is not None:
            activation.frame = key, frame
        return frame

    def _outermost(self) -> str:
        return PROGRAM if self.machine.is_program else CALLER
