"""The recording that a dry run writes: events with the chain of calls that leads to them."""

from __future__ import annotations

import ast
import contextlib
import dataclasses
from collections.abc import Hashable, Iterator
from typing import TYPE_CHECKING, Any

from graphdoctor.dryrun.core.context import SourceModule
from graphdoctor.dryrun.core.describing import Chains, Describer
from graphdoctor.dryrun.gradients.gradient_uses import BESIDE_OTHERS, SHOWN_ONLY
from graphdoctor.dryrun.gradients.second_derivatives import Answers
from graphdoctor.dryrun.staleness.allocation import brings_weights, is_tied, reallocating_loop
from graphdoctor.dryrun.staleness.state_readers import (
    Read,
    Readers,
    is_of_others,
    read_of_outer_name,
    read_of_shared_name,
)
from graphdoctor.dryrun.tracing.cache_keys import signature_conflict
from graphdoctor.dryrun.values import (
    UNKNOWN,
    Class,
    Dataset,
    Function,
    GraphFunction,
    Library,
    Memoized,
    Method,
    Origin,
    Sequence,
    Tape,
    Tensor,
    Value,
    Variable,
)
from graphdoctor.dryrun.values.printed_content import is_made_of_tensors, shown
from graphdoctor.recording.format import (
    CERTAINTY,
    EAGER,
    MAY,
    MUST,
    SHOWN,
    Applied,
    Calls,
    Conflict,
    Definition,
    Effect,
    Escape,
    Event,
    Gradient,
    LibraryCall,
    Looked,
    Made,
    Place,
    Staging,
    Stale,
    State,
    Trace,
    Use,
)
from graphdoctor.recording.format import Value as Described
from graphdoctor.source.nodes import walk

if TYPE_CHECKING:
    from graphdoctor.dryrun.staleness.captured_state import Capture, Changed
    from graphdoctor.dryrun.values.open_sizes import OpenSize

ONCE = ("__init__", "build", "setup", "reset_states", "__post_init__")
OUTSIDE = ("numpy.", "scipy.", "math.")  # what takes no symbolic tensor for a number


def number_of(value: Any) -> int:
    """The number by which events speak of an object."""
    return value.number if isinstance(value, (GraphFunction, Tape)) else value.origin.number


def _is_silent(kind: type[Event], fields: dict[str, Any]) -> bool:
    """Whether it is something that a graph does differently without a word, also in a test that passes."""
    return (kind is Use and fields.get("how") == "text") or fields.get("reason") == "graph-error"


class Log(Chains):
    """Writes events; the same thing at the same place once, as certain as it gets."""

    def __init__(self) -> None:
        self.events: list[Event] = []
        self._of_tests: set[int] = set()  # those that only the graph of a test shows, which passes
        self.looked: dict[Definition, Looked] = {}
        self.ran: dict[ast.AST, Function] = {}  # functions whose body ran, in a graph or not
        self.unknown_decorators: set[ast.AST] = set()  # functions that may be anything
        self.undecorated: set[ast.AST] = set()  # functions that are what they look like
        self.relevant: frozenset[ast.AST] = frozenset()  # those that are worth running
        self.stopped: dict[ast.AST, str] = {}  # entries that did not come to their end, and why
        self.traces = 0
        self._positions: dict[int, int] = {}  # of traces, by number
        self._of_functions: dict[int, list[int]] = {}  # of traces, by the number of the function
        self.variables_made = 0
        self.loose_shapes: list[set[str]] = []  # names whose shape may change, for each staged loop
        self._known: dict[Any, int] = {}
        self._escapes: dict[int, int] = {}
        self._silent = 0
        self._single = 0  # how many parts are under way that are traced as often as they run
        self._once: set[int] = set()  # effects of such parts alone
        self.readers = Readers()
        self.answers = Answers()
        self.graph_functions: list[GraphFunction] = []
        self.given: set[int] = set()  # the objects that graph functions were given, by their numbers
        self._changed: list[tuple[int, Changed]] = []
        self._drawn: list[tuple[Value, int]] = []
        self.answered: set[Hashable] = set()  # tapes that gave a gradient, and for what
        self._unanswered: list[tuple[int, Hashable]] = []
        self._calls: dict[Definition, int] = {}

    def describe(self, value: Value) -> Described:
        """A value, as a recording shows it."""
        return Describer(self).describe(value)

    def called(self, function: GraphFunction) -> None:
        """A graph function is called; in a loop, in another graph or by an entry that others call: often."""
        definition = self.traced_definition(function)
        if definition is not None:
            machine = self.machine
            alone = machine.graph is None and not machine.loops and machine.is_program
            self._calls[definition] = self._calls.get(definition, 0) + (1 if alone else 2)

    def finish(self) -> None:
        """Write down what only the whole dry run shows: who reads what changed, and what is called once."""
        for position, changed in self._changed:
            self._note_reader(position, changed)
        for position, about in self._unanswered:
            missing = self.events[position]
            if isinstance(missing, Gradient) and missing.fate == SHOWN_ONLY and about in self.answered:
                self.events[position] = dataclasses.replace(missing, fate=BESIDE_OTHERS)
        for position, again in self.answers.asked_again():
            event = self.events[position]
            if isinstance(event, Applied):
                options = {**event.options, "differentiated": str(again)}
                self.events[position] = dataclasses.replace(event, options=options)
        self.events = [event for at, event in enumerate(self.events) if at not in self._of_tests]
        for definition, count in self._calls.items():
            if count == 1:
                self.events.append(Calls(function=definition, calls=1, reached=MUST))

    def write(self, kind: type[Event], node: ast.AST, same: Any = None, **fields: Any) -> int:
        """Add an event at a node; its position. `same` says what is the same thing at the same place."""
        machine = self.machine
        graph = machine.graph
        reached = machine.reached
        place = self.place(node) if machine.module.transparent else node
        key = (kind, id(place), machine.module.path, same)
        known = self._known.get(key)
        dropped = graph is not None and graph.tested and not _is_silent(kind, fields)
        if known is not None:
            if not dropped:
                self._of_tests.discard(known)
            earlier = self.events[known]
            if CERTAINTY.index(reached) > CERTAINTY.index(earlier.reached):
                self.events[known] = earlier = dataclasses.replace(earlier, reached=reached)
            self._weigh_catching(known, node)
            if graph is not None and graph.evidence == SHOWN and earlier.traced != SHOWN:
                self.events[known] = dataclasses.replace(
                    self.events[known],
                    chain=self.chain(node),
                    trace=graph.trace,
                    traced=SHOWN,
                    traced_by=graph.shown_by,
                    **fields,  # what ran before it in this trace is known now
                )
            return known
        event = kind(
            chain=self.chain(node),
            trace=graph.trace if graph is not None else 0,
            reached=reached,
            traced=graph.evidence if graph is not None else EAGER,
            traced_by=graph.shown_by if graph is not None else None,
            caught=machine.caught,
            expected=machine.expected,
            **fields,
        )
        if dropped:
            self._of_tests.add(len(self.events))
        self._known[key] = len(self.events)
        self.events.append(event)
        return len(self.events) - 1

    def _weigh_catching(self, position: int, node: ast.AST) -> None:
        """What is known to happen where nobody catches it; a call says more than that nothing calls it."""
        earlier, machine = self.events[position], self.machine
        if len(machine.activations) < 2 or earlier.caught == machine.caught:
            return
        if earlier.caught or len(earlier.chain) == 1:
            self.events[position] = dataclasses.replace(
                earlier, chain=self.chain(node), caught=machine.caught, expected=machine.expected
            )

    def _note_reader(self, position: int, changed: Changed) -> None:
        event, readers = self.events[position], self.readers
        if not isinstance(event, (Effect, Escape)) or event.state is None:
            return
        if isinstance(event, Escape) and event.graph:  # a list of the trace itself
            read = readers.anywhere(changed.key)
            used = self.place(read.node, read.module) if read is not None else None
            self.events[position] = dataclasses.replace(event, used=used)
            return
        read, kind = readers.outside(changed.key, changed.cls), event.state.kind
        if kind in ("list", "dict") and changed.cls and readers.while_tracing(changed.key):
            read = read if kind == "dict" else None  # a way to hand tensors to other code of the same trace
        else:
            read = read or self._read_in_passing(changed)
        if isinstance(event, Effect) and event.what in ("attribute", "global") and event.counted:
            read = read or readers.carried(changed.key, changed.cls)
        if read is None:
            return
        place = self.place(read.node, read.module)
        if isinstance(event, Effect):
            self.events[position] = dataclasses.replace(event, read=place)
        elif isinstance(event, Escape) and event.used is None:
            # That code may be run after the trace, or before it sets the state itself.
            self.events[position] = dataclasses.replace(event, used=place, reached=MAY)

    def _read_in_passing(self, changed: Changed) -> Read | None:
        """A read in code that the dry run had no reason to run."""
        if changed.name == "":
            return None
        if changed.cls is None:
            return self._name_read_in_passing(changed.name)
        for function in self.machine.program.functions.values():
            if function.owner not in changed.cls.ancestry or function.node in self.machine.called:
                continue
            for node in walk(function.node):
                own = isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load)
                if own and node.attr == changed.name and getattr(node.value, "id", "") == "self":  # type: ignore[attr-defined]
                    read = Read(node, function.module, changed.cls)
                    read.function, read.name = function.node, function.name.rpartition(".")[2]
                    if is_of_others(read):
                        return read
        return None

    def _name_read_in_passing(self, name: str) -> Read | None:
        """A read of an outer name, in a function that the dry run skipped, or in the one whose name it is."""
        traced = self.readers.traced
        for function in self.machine.program.functions.values():
            if function.node in traced:
                continue
            node = read_of_shared_name(function.node, name, traced)
            if node is None and function.node not in self.machine.called:
                node = read_of_outer_name(function.node, name)
            if node is not None and id(node) not in self.readers.filling:
                return Read(node, function.module)
        return None

    def staging(
        self,
        construct: str,
        outcome: str,
        node: ast.AST,
        reason: str = "",
        conflict: Conflict | None = None,
        iterations: int | None = None,
        operations: int = 0,
        blocked_by: Place | None = None,
    ) -> None:
        """A condition, loop or the like met a tensor, or ran while tracing."""
        if outcome == "refused" and self.machine.guarded:
            return
        same = (construct, outcome, reason, conflict.name if conflict else "")
        self.write(
            Staging,
            node,
            same,
            construct=construct,
            outcome=outcome,
            reason=reason,
            conflict=conflict,
            turns=iterations,
            operations=operations,
            blocked_by=blocked_by,
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
        changed: Changed | None = None,
    ) -> int | None:
        """Python did something while tracing; `changed` is what others may read. Where it is written down."""
        if self.machine.graph is None or self._silent:
            return None
        once = self._single > 0 or any(
            each.name in ONCE and each.scope.graph is not None for each in self.machine.activations
        )
        new = len(self.events)
        position = self.write(
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
            shows=self._shown(values, node),
        )
        if once and position == new:
            self._once.add(position)
        elif not once and position in self._once:  # done elsewhere as well, where each call should do it
            self._once.discard(position)
            self._once_no_more(position, node)
        if changed is not None:
            self._changed.append((position, changed))
        return position

    def _once_no_more(self, position: int, node: ast.AST) -> None:
        event, graph = self.events[position], self.machine.graph
        if isinstance(event, Effect) and graph is not None:
            self.events[position] = dataclasses.replace(
                event, chain=self.chain(node), trace=graph.trace, traced_by=graph.shown_by, once=False
            )

    def _shown(self, values: tuple[Value, ...], node: ast.AST) -> str:
        found, activation = shown(values, node), self.machine.activation
        unknown = not found and is_made_of_tensors(node, activation.bound, activation.scope.cells)
        return "array" if unknown else found

    def drawn(self, value: Value, position: int | None) -> Value:
        """A random number, and where it is written down that it was drawn."""
        if position is not None:
            self._drawn.append((value, position))
        return value

    def seeds(self, value: Value | None) -> None:
        """It is the seed of an operation, which draws again at each call: that it is the same is meant."""
        for known, position in self._drawn:
            if known is value:
                self.mark_once(position, position + 1)

    @contextlib.contextmanager
    def once(self) -> Iterator[None]:
        """While open, what Python does is done as often as it should be."""
        self._single += 1
        try:
            yield
        finally:
            self._single -= 1

    @contextlib.contextmanager
    def silent(self) -> Iterator[None]:
        """While open, what Python does is no effect."""
        self._silent += 1
        try:
            yield
        finally:
            self._silent -= 1

    def use(
        self, how: str, node: ast.AST, value: Value, name: str = "", given: ast.AST | None = None
    ) -> int | None:
        """A symbolic tensor was used as a Python value; `given` is the expression that gave it."""
        if self.machine.guarded:
            return None
        place = self.place(given) if given is not None and hasattr(given, "lineno") else None
        return self.write(Use, node, (how, name), how=how, name=name, value=self.describe(value), given=place)

    def indexed(self, node: ast.AST, index: Value, kind: str, element: Value) -> None:
        """A Python list, or the like of it, was indexed by a symbolic tensor."""
        if not self.machine.guarded:
            value, holds = self.describe(index), self.describe(element)
            if isinstance(element, (Library, Class, Method, Memoized)):
                holds = Described(kind="object")
            self.write(Use, node, ("index", kind), how="index", name=kind, value=value, holds=holds)

    def rank_unknown(self, tensor: Tensor, lost: Origin, node: ast.AST) -> None:
        """A tensor whose rank was lost is given to what needs it."""
        place = self.place_of(lost)
        self.write(Use, node, ("rank", place), how="rank", value=self.describe(tensor), given=place)

    def size_used(self, how: str, node: ast.AST, size: OpenSize, name: str) -> None:
        """An open size was used as a number, or compared with one."""
        self.write(
            Use,
            node,
            (how, name, size.tensor, size.axis),
            how=how,
            name=size.tensor,
            value=Described(kind="value", type="NoneType", text="None"),
            given=self.place_of(size.origin),
            axis=size.axis,
            into=name if name.startswith(OUTSIDE) else "",
        )

    def went_into(self, position: int, into: str) -> None:
        """The text of a use was computed with."""
        known = self.events[position]
        if isinstance(known, Use) and not known.into:
            self.events[position] = dataclasses.replace(known, into=into)

    def mark_once(self, start: int, end: int | None = None) -> None:
        """What was done since this position is done once only, traced or not."""
        for position in range(start, len(self.events) if end is None else end):
            known = self.events[position]
            if isinstance(known, Effect):
                self.events[position] = dataclasses.replace(known, once=True)

    def escape(
        self,
        tensor: Value,
        state: State,
        node: ast.AST,
        graph: str = "",
        again: bool = False,
        changed: Changed | None = None,
    ) -> None:
        """A symbolic tensor was kept outside its graph; `again`: the traced code itself meets it there."""
        position = self.write(
            Escape, node, state.name, tensor=self.describe(tensor), state=state, graph=graph, again=again
        )
        if changed is not None:
            self._changed.append((position, changed))
            self.readers.escaped.add((self.machine.entry, changed.key))
        if isinstance(tensor, Tensor):
            self._escapes.setdefault(tensor.origin.number, position)

    def released(self, changed: Changed) -> None:
        """The trace under way gives another value to what held a tensor of it."""
        trace = self.machine.graph.trace if self.machine.graph is not None else 0

        def stays(position: int, other: Changed) -> bool:
            event = self.events[position]
            same = other.key == changed.key and other.cls is changed.cls
            return not (same and isinstance(event, Escape) and event.trace == trace)

        self._changed = [(position, other) for position, other in self._changed if stays(position, other)]

    def leak_used(self, tensor: Tensor, node: ast.AST) -> None:
        """A tensor that had escaped is used where it means nothing."""
        position = self._escapes.get(tensor.origin.number)
        if position is not None:
            known = self.events[position]
            assert isinstance(known, Escape)
            if known.used is None and not self.machine.may:
                self.events[position] = dataclasses.replace(known, used=self.place(node))

    def stale(
        self,
        function: GraphFunction,
        capture: Capture,
        now: Value,
        written: tuple[SourceModule, ast.AST] | None,
        differs: str,
        kind: str = "",
    ) -> None:
        """State that a trace read has another value when its graph runs again; `kind`: if not its own."""
        definition = self.traced_definition(function)
        if definition is None:
            return
        key = (Stale, id(capture.node), capture.state.name, function.number)
        known = self._known.get(key)
        if known is not None and (self.machine.may or self.events[known].reached != MAY):
            return
        event = Stale(
            chain=capture.chain,
            trace=capture.graph.trace,
            reached=self.machine.reached,
            traced=capture.graph.evidence,
            traced_by=capture.graph.shown_by,
            function=definition,
            state=dataclasses.replace(capture.state, kind=kind) if kind else capture.state,
            then=self.describe(capture.value),
            now=self.describe(now),
            differs=differs,
            written=self.place(written[1], written[0]) if written else None,
            object=function.number,
        )
        if known is not None:
            self.events[known] = event  # what may have been stale before surely is now
            return
        self._known[key] = len(self.events)
        self.events.append(event)

    def late_binding(
        self, name: str, kind: str, function: Function, node: ast.AST, made: Place | None = None
    ) -> None:
        """A function reads a name that went on since it was made: of a loop, or into the graph."""
        self.write(
            Stale,
            node,
            name,
            function=self.definition(function),
            state=State(kind=kind, name=name, made=made),
            then=Described(kind="unknown"),
            now=Described(kind="unknown"),
        )

    def made(self, what: str, value: Any, node: ast.AST, again: bool = False, **fields: Any) -> None:
        """Something with a life of its own was made."""
        kind = getattr(value, "name", "") or getattr(getattr(value, "cls", None), "name", "")
        repeated = any(loop.iteration > 1 for loop in self.machine.loops)
        self.write(
            Made,
            node,
            (what, again, repeated, fields.get("outer")),
            what=what,
            type=kind,
            object=number_of(value),
            anew=again,
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
        from graphdoctor.dryrun.core.definitions import underlying

        self.graph_functions.append(function)
        inner = underlying(function)
        coroutine = inner is not None and isinstance(inner.node, ast.AsyncFunctionDef)
        self.made(
            "function",
            function,
            node,
            definition=self.traced_definition(function),
            options={"coroutine": "True"} if coroutine else {},
            arguments=Describer(self).arguments(dict(function.options), nodes, module),
            conflict=signature_conflict(self.machine, function),
        )

    def applied(self, what: str, value: Any, node: ast.AST, on: Any = (), **options: str) -> int:
        """An object took part in something: an optimizer, a model, a tape, a switch."""
        number = number_of(value) if value is not None else 0
        kind = getattr(value, "name", "") or getattr(getattr(value, "cls", None), "name", "")
        if isinstance(on, str):
            options["on"], on = on, ()
        repeated = any(loop.iteration > 1 for loop in self.machine.loops)
        return self.write(
            Applied,
            node,
            (what, number, on, repeated),
            what=what,
            object=number,
            made=self.place_of(value.origin) if value is not None else None,
            type=str(kind),
            on=on,
            options=options,
        )

    def untracked(self, saved: Any, function: GraphFunction, resource: Any, node: ast.AST) -> None:
        """What is saved leads to no attribute that holds what one of its functions takes in."""
        traced = self.traced_definition(function)
        if traced is not None:
            owner = getattr(getattr(saved, "cls", None), "name", "") or saved.name.rpartition(".")[2]
            kind = "Variable" if isinstance(resource, Variable) else resource.name.rpartition(".")[2]
            self.write(
                Applied,
                node,
                ("untracked", resource.origin.number),
                what="untracked",
                object=resource.origin.number,
                made=self.place_of(resource.origin),
                type=kind,
                options={"function": traced.name, "saved": owner},
            )

    def entered(self, function: Function) -> None:
        """The body of a function begins to run."""
        self.ran[function.node] = function
        if self.machine.graph is not None:
            self.readers.traced.add(function.node)

    def gave_up(self, path: str, why: str, line: int = 1) -> None:
        """A module was not followed to its end, or not into what it imports at a line."""
        definition = Definition(name="<module>", path=path, line=line)
        self.looked.setdefault(definition, Looked(function=definition, skipped=why))

    def library_call(
        self,
        name: str,
        node: ast.AST,
        values: dict[str, Value] | None = None,
        dropped: bool = False,
        recorded: bool = False,
    ) -> None:
        """A library function of interest was called while tracing."""
        if self.machine.graph is not None:
            arguments = Describer(self).arguments(values or {}, {})
            self.write(
                LibraryCall,
                node,
                (name, dropped),
                name=name,
                arguments=arguments,
                dropped=dropped,
                recorded=recorded,
                compiled=self.machine.graph.xla,
            )

    def dropped(self, name: str, node: ast.AST) -> None:
        """What was computed to replace a value of a library's class goes nowhere, also outside graphs."""
        self.write(LibraryCall, node, (name, True), name=name, dropped=True)

    def needs_graph(self, name: str, node: ast.AST, since: ast.stmt | None) -> None:
        """A library function that works in graphs alone was called outside; `since` when all is eager."""
        values: dict[str, Value] = {"tensorflow": UNKNOWN} if since is not None else {}
        arguments = Describer(self).arguments(values, {"tensorflow": since} if since is not None else {})
        self.write(LibraryCall, node, (name, "eager"), name=name, arguments=arguments)

    def gradient(self, node: ast.AST, reason: str, about: Hashable = None, **fields: Any) -> None:
        """A tape answers None; `about` stands for the tape and what it was asked about."""
        position = self.write(Gradient, node, (reason, fields.get("sources")), reason=reason, **fields)
        self._unanswered.append((position, about))

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
        loop = reallocating_loop(self.machine, function)
        tied = is_tied(self.machine, function, loop) if loop is not None else False
        if loop is not None and any(brings_weights(value, loop) for value in values.values()):
            tied = True  # a model of this iteration alone needs a graph of its own
        if tied is None:
            loop = None
        self._positions[number] = self.write(
            Trace,
            node,
            number,
            number=number,
            function=definition,
            object=function.number,
            made=self.place_of(function.origin),
            arguments=Describer(self).given(values, nodes, function.origin.loops),
            anew=self.loop(loop) if loop is not None else None,
            tied=bool(fields.pop("tied", False)) or bool(tied),
            **fields,
        )
        self._of_functions.setdefault(function.number, []).append(self._positions[number])
        return number

    def kept(self, value: Value) -> None:
        """A pipeline that a loop makes is put beside others: each of them is another one."""
        for part in value.members if isinstance(value, Sequence) else (value,):
            for function in part.traced if isinstance(part, Dataset) else ():
                for position in self._of_functions.get(function.number, ()):
                    known = self.events[position]
                    if isinstance(known, Trace) and known.anew is not None:
                        self.events[position] = dataclasses.replace(known, tied=True)

    def traced(self, number: int, fingerprint: str | None, *, empty: bool) -> None:
        """A trace came to its end, with this graph."""
        position = self._positions.get(number)
        known = self.events[position] if position is not None else None
        if position is not None and isinstance(known, Trace):
            self.events[position] = dataclasses.replace(known, fingerprint=fingerprint, empty=empty)

    def traced_definition(self, function: GraphFunction) -> Definition | None:
        """The function of the project that a graph function wraps, or the step of Keras' that it is."""
        known = function.cells.get("definition")
        if isinstance(known, Definition):
            return known
        from graphdoctor.dryrun.core.definitions import underlying

        found = underlying(function)
        return self.definition(found) if found is not None else None
