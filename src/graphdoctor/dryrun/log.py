"""The recording that a dry run writes: events with the chain of calls that leads to them."""

from __future__ import annotations

import ast
import dataclasses
from typing import TYPE_CHECKING, Any

from graphdoctor.dryrun.context import Activation, LoopRun, SourceModule
from graphdoctor.dryrun.describing import Describer
from graphdoctor.dryrun.fitting import signature_conflict
from graphdoctor.dryrun.renewal import is_tied, renewing_loop
from graphdoctor.dryrun.values import Function, GraphFunction, Origin, Tensor, Value
from graphdoctor.recording.format import (
    EAGER,
    MAY,
    MUST,
    Applied,
    Conflict,
    Definition,
    Effect,
    Escape,
    Event,
    Frame,
    Gradient,
    LibraryCall,
    Looked,
    Loop,
    Made,
    Place,
    Staging,
    Stale,
    State,
    Trace,
    Use,
)
from graphdoctor.recording.format import Value as Described

if TYPE_CHECKING:
    from graphdoctor.dryrun.machine import Machine
    from graphdoctor.dryrun.state import Capture

ONCE = ("__init__", "build", "setup", "reset_states", "__post_init__")


class Log:
    """Writes events; the same thing at the same place once, as certain as it gets."""

    machine: Machine

    def __init__(self) -> None:
        self.events: list[Event] = []
        self.looked: dict[Definition, Looked] = {}
        self.traces = 0
        self.variables_made = 0
        self.loose_shapes: list[set[str]] = []  # names whose shape may change, for each staged loop
        self._known: dict[Any, int] = {}
        self._escapes: dict[int, int] = {}
        self._describer = Describer(self)

    # Places and chains

    def place(self, node: ast.AST, module: SourceModule | None = None) -> Place:
        """Where a node of a module stands."""
        module = module or self.machine.module
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

    def place_of(self, origin: Origin) -> Place | None:
        """Where something was made."""
        if origin.module is None or origin.node is None or not hasattr(origin.node, "lineno"):
            return None
        return self.place(origin.node, origin.module)

    def loop(self, run: LoopRun) -> Loop:
        """A loop, as a recording names it."""
        return Loop(place=self.place(run.node, run.module), turns=run.count, graph=run.graph)

    def definition(self, function: Function) -> Definition:
        """A function, as a recording names it."""
        decorators = getattr(function.node, "decorator_list", [])
        line = self.place(decorators[0] if decorators else function.node, function.module).line
        scope = function.module.syntax.walk.scopes.get(function.node)
        name = scope.name if scope is not None else function.name
        return Definition(name=name, path=function.module.path, line=line)

    def chain(self, node: ast.AST) -> tuple[Frame, ...]:
        """The calls that lead to a node of the innermost function, outermost first."""
        frames: list[Frame] = []
        activations = self.machine.activations
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
        return Frame(
            function=self.definition(function).name if function is not None else "<module>",
            place=self.place(at, activation.module),
            definition=self.definition(function) if function is not None else None,
            loops=tuple(map(self.loop, self.machine.loops[activation.first_loop : end])),
            entered=activation.entered,
        )

    def describe(self, value: Value) -> Described:
        """A value, as a recording shows it."""
        return self._describer.describe(value)

    # Writing

    def write(self, kind: type[Event], node: ast.AST, same: Any = None, **fields: Any) -> int:
        """Add an event at a node; its position. `same` tells what is the same thing at the same place."""
        machine = self.machine
        graph = machine.graph
        reached = MAY if machine.may else MUST
        key = (kind, id(node), machine.module.path, same)
        known = self._known.get(key)
        if known is not None:
            earlier = self.events[known]
            if reached == MUST and earlier.reached == MAY:
                self.events[known] = dataclasses.replace(earlier, reached=MUST)
            return known
        event = kind(
            chain=self.chain(node),
            trace=graph.trace if graph is not None else 0,
            reached=reached,
            traced=graph.evidence if graph is not None else EAGER,
            traced_by=graph.shown_by if graph is not None else None,
            caught=any(activation.handlers for activation in machine.activations),
            **fields,
        )
        self._known[key] = len(self.events)
        self.events.append(event)
        return len(self.events) - 1

    def staging(
        self,
        construct: str,
        outcome: str,
        node: ast.AST,
        reason: str = "",
        conflict: Conflict | None = None,
        turns: int | None = None,
        operations: int = 0,
    ) -> None:
        """A condition, loop or the like met a tensor, or ran while tracing."""
        same = (construct, outcome, reason, conflict.name if conflict else "")
        self.write(
            Staging,
            node,
            same,
            construct=construct,
            outcome=outcome,
            reason=reason,
            conflict=conflict,
            turns=turns,
            operations=operations,
        )

    def effect(
        self,
        what: str,
        name: str,
        node: ast.AST,
        values: tuple[Value, ...] = (),
        old: Value | None = None,
        state: State | None = None,
        counted: bool = False,
    ) -> None:
        """Python did something while tracing."""
        if self.machine.graph is None:
            return
        once = any(each.name in ONCE for each in self.machine.activations if each.function)
        self.write(
            Effect,
            node,
            (what, name),
            what=what,
            name=name,
            values=tuple(map(self.describe, values)),
            old=self.describe(old) if isinstance(old, Value) else None,
            state=state,
            once=once,
            counted=counted,
        )

    def use(self, how: str, node: ast.AST, value: Value, name: str = "") -> None:
        """A symbolic tensor or open size was used as a Python value."""
        self.write(Use, node, (how, name), how=how, name=name, value=self.describe(value))

    def escape(self, tensor: Value, state: State, node: ast.AST, graph: str = "") -> None:
        """A symbolic tensor was kept outside its graph."""
        position = self.write(
            Escape, node, state.name, tensor=self.describe(tensor), state=state, graph=graph
        )
        if isinstance(tensor, Tensor):
            self._escapes.setdefault(tensor.origin.number, position)

    def leak_used(self, tensor: Tensor, node: ast.AST) -> None:
        """A tensor that had escaped is used where it means nothing."""
        position = self._escapes.get(tensor.origin.number)
        if position is not None:
            known = self.events[position]
            assert isinstance(known, Escape)
            if known.used is None and not self.machine.may:
                self.events[position] = dataclasses.replace(known, used=self.place(node))

    def stale(self, function: GraphFunction, capture: Capture, now: Value, node: ast.AST) -> None:
        """State that a trace read has another value when its graph runs again."""
        definition = self.traced_definition(function)
        if definition is None:
            return
        key = (Stale, id(capture.node), capture.state.name, function.number)
        if key in self._known:
            return
        self._known[key] = len(self.events)
        self.events.append(
            Stale(
                chain=capture.chain,
                trace=capture.graph.trace,
                reached=MAY if self.machine.may else MUST,
                traced=capture.graph.evidence,
                traced_by=capture.graph.shown_by,
                function=definition,
                state=capture.state,
                then=self.describe(capture.value),
                now=self.describe(now),
                object=function.number,
            )
        )

    def late_binding(self, name: str, loop: LoopRun, function: Function, node: ast.AST) -> None:
        """A function made in a loop reads the loop's name after the loop has gone on."""
        self.write(
            Stale,
            node,
            name,
            function=self.definition(function),
            state=State(kind="loop", name=name, made=self.place(loop.node, loop.module)),
            then=Described(kind="unknown"),
            now=Described(kind="unknown"),
        )

    def made(self, what: str, value: Any, node: ast.AST, anew: bool = False, **fields: Any) -> None:
        """Something with a life of its own was made."""
        kind = getattr(value, "name", "") or getattr(getattr(value, "cls", None), "name", "")
        repeated = any(loop.turn > 1 for loop in self.machine.loops)
        self.write(
            Made,
            node,
            (what, anew, repeated),
            what=what,
            type=kind,
            object=value.origin.number,
            anew=anew,
            **fields,
        )

    def made_function(
        self,
        function: GraphFunction,
        node: ast.AST,
        nodes: dict[str, ast.AST],
        module: SourceModule | None = None,
    ) -> None:
        """A graph function was made; `nodes` are the expressions in `module` that gave its options."""
        self.made(
            "function",
            function,
            node,
            definition=self.traced_definition(function),
            arguments=self._describer.arguments(dict(function.options), nodes, module),
            conflict=signature_conflict(self.machine, function),
        )

    def applied(self, what: str, value: Any, node: ast.AST, on: Any = (), **options: str) -> None:
        """An object took part in something: an optimizer, a model, a tape, a switch."""
        number = value.origin.number if value is not None else 0
        kind = getattr(value, "name", "") or getattr(getattr(value, "cls", None), "name", "")
        if isinstance(on, str):
            options["on"], on = on, ()
        repeated = any(loop.turn > 1 for loop in self.machine.loops)
        self.write(
            Applied,
            node,
            (what, number, on, repeated),
            what=what,
            object=number,
            type=str(kind),
            on=on,
            options=options,
        )

    def gave_up(self, path: str, why: str) -> None:
        """A module or function was not followed to its end."""
        definition = Definition(name="<module>", path=path, line=1)
        self.looked[definition] = Looked(function=definition, skipped=why)

    def library_call(
        self, name: str, node: ast.AST, values: dict[str, Value] | None = None, dropped: bool = False
    ) -> None:
        """A library function of interest was called while tracing."""
        if self.machine.graph is not None:
            arguments = self._describer.arguments(values or {}, {})
            self.write(LibraryCall, node, (name, dropped), name=name, arguments=arguments, dropped=dropped)

    def gradient(self, node: ast.AST, reason: str, **fields: Any) -> None:
        """A tape answers None."""
        self.write(Gradient, node, (reason, fields.get("sources")), reason=reason, **fields)

    def trace(
        self,
        function: GraphFunction,
        definition: Definition,
        values: dict[str, Value],
        nodes: dict[str, ast.AST],
        node: ast.AST,
        **fields: Any,
    ) -> int:
        """A function is traced; the number of the trace."""
        self.traces += 1
        number = self.traces
        loop = renewing_loop(self.machine, function)
        tied = is_tied(self.machine, function, loop) if loop is not None else False
        if tied is None:
            loop = None
        self.write(
            Trace,
            node,
            number,
            number=number,
            function=definition,
            object=function.number,
            made=self.place_of(function.origin),
            arguments=self._describer.given(values, nodes, function.origin.loops),
            anew=self.loop(loop) if loop is not None else None,
            tied=bool(fields.pop("tied", False)) or bool(tied),
            **fields,
        )
        return number

    def traced_definition(self, function: GraphFunction) -> Definition | None:
        """The function of the project that a graph function wraps."""
        from graphdoctor.dryrun.definitions import underlying
        from graphdoctor.dryrun.values import BoundMethod

        inner: Any = function.function
        while isinstance(inner, BoundMethod):
            inner = inner.function
        found = underlying(inner)
        return self.definition(found) if found is not None else None
