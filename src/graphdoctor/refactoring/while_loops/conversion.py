"""A loop over a tensor's length, in code that AutoGraph does not convert → `tf.while_loop`.

The body of the loop becomes a function of the iteration's number and of what it carries: names that an
iteration reads before it sets them, or that are read afterwards, and a TensorArray for each list it fills.
Run on TensorFlow 2.21 with Keras 3.15 and tf_keras 2.21: eager and graph agree, weights stay live without a
`build()`, also after a reload; XLA needs `maximum_iterations`, and a Python number as the size of an array
keeps the static length.
"""

import ast
import dataclasses

from graphdoctor.model import Edit
from graphdoctor.refactoring.initial_values.zeros import Kind
from graphdoctor.refactoring.syntax.dtypes import dtype_of
from graphdoctor.refactoring.syntax.imports import tensorflow_at
from graphdoctor.refactoring.syntax.statements import drop_statement
from graphdoctor.refactoring.tensor_arrays.lists import ArrayReader, known_dtype
from graphdoctor.refactoring.while_loops.filled_lists import FilledList, filled_lists, lists_of_iteration
from graphdoctor.refactoring.while_loops.first_iteration import first_choices
from graphdoctor.refactoring.while_loops.loop_counts import Count, CountedLoop, count_of, header_of
from graphdoctor.refactoring.while_loops.loop_effects import can_be_function
from graphdoctor.refactoring.while_loops.read_slices import inputs_by_step
from graphdoctor.refactoring.while_loops.start_values import is_set_before, start_of
from graphdoctor.source.def_use import exposed_reads, names_read
from graphdoctor.source.surroundings import Body, block_of, free_name, indent_of, stored_names

LONGEST_LINE = 88
LAST = ast.dump(ast.parse("-1", mode="eval").body)


def to_while_loop(body: Body, node: ast.AST) -> tuple[Edit, ...] | None:
    """The edits that let `tf.while_loop` run the loop at a node; None where something else would be lost."""
    loop = node if isinstance(node, ast.For | ast.While) else _loop_over(body, node)
    found = tensorflow_at(body.home, body.scope)
    if loop is None or found is None or not _is_plain(body, loop):
        return None
    count = count_of(body, loop, found[0])
    own = lists_of_iteration(body, loop)
    lists = filled_lists(body, loop, own)
    if count is None or lists is None:
        return None
    if not can_be_function(body, loop, count, [each.name for each in lists], own):
        return None
    edits = _Rewriting(body, loop, count, lists, found[0]).edits()
    return (*edits, *found[1]) if edits is not None else None


def _loop_over(body: Body, node: ast.AST) -> CountedLoop | None:
    """The loop whose iterable, or test, a node is, or is part of."""
    inner = node
    for outer in body.ancestors(node):
        if isinstance(outer, ast.For | ast.While):
            return outer if header_of(outer) is inner else None
        inner = outer
    return None


def _is_plain(body: Body, loop: CountedLoop) -> bool:
    """Whether the header is on lines of its own and nothing stands between it and the colon."""
    header = header_of(loop)
    end = header.end_lineno or header.lineno
    rest = body.home.lines[end - 1].encode()[header.end_col_offset or 0 :].decode(errors="ignore")
    own_lines = loop.body[0].lineno > end and indent_of(body.home, loop) is not None
    return own_lines and not loop.orelse and rest.lstrip().startswith(":")


@dataclasses.dataclass(eq=False)
class _Rewriting:
    """One loop with the facts about it; `edits` gives the whole edit."""

    body: Body
    loop: CountedLoop
    count: Count
    lists: list[FilledList]
    tensorflow: str

    def __post_init__(self) -> None:
        self.replaced: dict[ast.AST, Edit] = {}
        self.writes: list[Edit] = []
        self.before: list[str] = [*self.count.before]
        self.starts: dict[str, str] = {}  # by carried name, what it begins with where that is not the name
        self.names = {each.name for each in self.lists}

    def edits(self) -> tuple[Edit, ...] | None:
        """All edits; None where the loop does something that a function of the graph cannot."""
        changed = stored_names([self.loop])
        inputs = inputs_by_step(self.body, self.loop, self.count, changed | self.names, self.tensorflow)
        if inputs is None:
            return None
        self.replaced |= inputs.edits
        dropped = self._drop_lists()
        carried = self._carried(changed)
        if dropped is None or carried is None or not all(map(self._array, self.lists)):
            return None
        self.before += self._rows() + inputs.lines
        states = [*carried, *(name for name in self.starts if name not in carried)]
        frame = self._frame(states)
        return (*dropped, *frame, *self._innermost_apart()) if frame is not None else None

    def _after(self) -> list[ast.stmt]:
        """The statements that may run after the loop, in their order."""
        found: list[ast.stmt] = []
        inner: ast.AST = self.loop
        while isinstance(inner, ast.stmt) and inner is not self.body.function.node:
            block = block_of(self.body.home, inner)
            found += block[block.index(inner) + 1 :] if inner in block else []
            outer = self.body.parents.get(inner)
            if isinstance(outer, ast.For | ast.While):
                found += outer.body
            inner = outer or self.body.function.node
        return found

    def _carried(self, changed: set[str]) -> list[str] | None:
        """The names that go from one iteration to the next, or out of the last; None without a start."""
        after = exposed_reads(self._after())
        own = stored_names(self.count.body_of(self.loop)) - self.names
        if not self._choose_first(own):
            return None
        counters = {self.count.name, self.count.element} | self.count.counters(self.loop)
        reads = exposed_reads(self.count.body_of(self.loop)) | after
        names = sorted(own & reads, key=self._first_line)
        self.live = after
        if counters & (after | own) - {""} or not all(
            name in self.starts or self._start(name) for name in names
        ):
            return None
        return names

    def _first_line(self, name: str) -> int:
        return min(getattr(each.node, "lineno", 0) for each in self.body.scope.bindings[name])

    def _start(self, name: str) -> bool:
        """Whether a carried name has a value before the loop that a loop of the graph can begin with."""
        start = start_of(self.body, self.loop, name)
        if start is not None and start != name:
            self.starts[name] = start
        return start is not None

    def _choose_first(self, own: set[str]) -> bool:
        """Write each `first if t == 0 else previous` as what begins with `first`; False if it cannot."""
        choices = first_choices(self.loop, self.count, self.lists)
        for choice in choices or ():
            if names_read(choice.first) & (own | {self.count.name, self.count.element}):
                return False
            previous = self._last_name(choice.later) if choice.later in self.names else choice.later
            text = self.body.home.source_of(choice.first)
            if self.starts.setdefault(previous, text) != text or choice.later not in self.names | own:
                return False
            if choice.later not in self.names and is_set_before(self.body, self.loop, choice.later):
                return False
            chosen = f"{choice.target} = {previous}" if choice.target else previous
            self.replaced[choice.node] = self.body.home.replace(choice.node, chosen)
        return choices is not None

    def _last_name(self, name: str) -> str:
        return f"last_{name}"

    def _array(self, filled: FilledList) -> bool:
        """Put the array of a list before the loop, and write its uses; False where one is not understood."""
        home, name = self.body.home, filled.name
        reader = ArrayReader(filled.accumulator, self.tensorflow, Kind())
        skips = bool(filled.first) and all(self._skips_first(filled, use) for use in filled.after)
        shift = 0 if skips else len(filled.first)
        inside = [self._read_inside(filled, use, shift) for use in filled.inside]
        uses = filled.after
        for use in uses:
            around = self.body.parents[use]
            edited = reader.edit(around if skips and isinstance(around, ast.Subscript) else use)
            if edited is None:
                return False
            self.replaced[around if skips else use] = edited
        if not all(inside) or (reader.turned and reader.stacks):
            return False
        keep = ", clear_after_read=False" if any(each == "read" for each in inside) else ""
        dtype = known_dtype(filled.accumulator, Kind()) or self._dtype_of_first(filled) or "float32"
        size = self.count.static_size
        if shift:
            size = f"({size}) + {shift}" if " " in size else f"{size} + {shift}"
        array = f"{name} = {self.tensorflow}.TensorArray({self.tensorflow}.{dtype}, size={size}{keep})"
        for number in range(shift):
            array += f".write({number}, {home.source_of(filled.first[number])})"
        self.before.append(array)
        self._write(filled, reader, shift)
        return True

    def _dtype_of_first(self, filled: FilledList) -> str | None:
        return dtype_of(filled.first[0], self.body.scope, {}) if filled.first else None

    def _skips_first(self, filled: FilledList, use: ast.Name) -> bool:
        """Whether a use leaves out what the list began with: `states[1:]`."""
        around = self.body.parents[use]
        part = around.slice if isinstance(around, ast.Subscript) and around.value is use else None
        if not isinstance(part, ast.Slice) or part.upper is not None or part.step is not None:
            return False
        return isinstance(part.lower, ast.Constant) and part.lower.value == len(filled.first)

    def _read_inside(self, filled: FilledList, use: ast.Name, shift: int) -> str:
        """How an iteration reads the list: its last element, one by its number; empty if in another way."""
        around = self.body.parents[use]
        if any(part is use for node in self.replaced for part in ast.walk(node)):
            return "replaced"
        if not isinstance(around, ast.Subscript) or around.value is not use:
            return ""
        if ast.dump(around.slice) == LAST:
            name = self._last_name(filled.name)
            if use.lineno <= filled.accumulator.filling.lineno:  # type: ignore[attr-defined]
                if not filled.first:
                    return ""
                self.starts[name] = self.body.home.source_of(filled.first[-1])
            self.replaced[around] = self.body.home.replace(around, name)
            return "last"
        number = ast.unparse(around.slice)
        if (
            self.count.start != "0"
            or shift != len(filled.first)
            or self.count.name not in names_read(around.slice)
        ):
            return ""
        self.replaced[around] = self.body.home.replace(around, f"{filled.name}.read({number})")
        return "read"

    def _write(self, filled: FilledList, reader: ArrayReader, shift: int) -> None:
        """`windows.append(x)` → `windows = windows.write(t, x)`, and a name for `x` if it is read again."""
        home, last = self.body.home, self._last_name(filled.name)
        index = self.count.index + (f" + {shift}" if shift else "")
        statement, element = filled.accumulator.filling, filled.accumulator.element
        moved = (
            (f"{self.tensorflow}.experimental.numpy.moveaxis(", f", {reader.joins}, 0)")
            if reader.turned
            else ("", "")
        )
        kept = last in self.starts or any(edit.text == last for edit in self.replaced.values())
        whole, inner = home.span(statement), home.span(element)
        opening = f"{filled.name} = {filled.name}.write({index}, {moved[0]}"
        closing = f"{moved[1]})"
        if kept:
            indent, several = " " * getattr(statement, "col_offset", 0), element.lineno != element.end_lineno
            closing = f"{')' if several else ''}\n{indent}{opening}{last}{closing}"
            opening = f"{last} = {'(' if several else ''}"
        self.writes += [
            home.replace_stretch(whole.line, whole.column, inner.line, inner.column, opening),
            home.replace_stretch(inner.end_line, inner.end_column, whole.end_line, whole.end_column, closing),
        ]

    def _drop_lists(self) -> list[Edit] | None:
        """The edits that take out what makes the lists, an array is made before the loop; and what counts."""
        made: dict[ast.stmt, set[str]] = {}
        for each in self.lists:
            made.setdefault(each.made, set()).add(each.name)
        if any(stored_names([statement]) != names for statement, names in made.items()):
            return None
        edits = [drop_statement(self.body.home, each) for each in (*made, *self.count.advances)]
        dropped = [edit for edit in edits if edit is not None]
        return dropped if len(dropped) == len(edits) else None

    def _rows(self) -> list[str]:
        """The lines that take the tensor apart that a loop goes through."""
        rows = self.count.rows
        if not isinstance(rows, ast.Name):
            return []
        array = f"{rows.id}_by_step"
        made = f"{self.tensorflow}.TensorArray({rows.id}.dtype, size={self.count.size})"
        return [f"{array} = {made}.unstack({rows.id})"]

    def _frame(self, states: list[str]) -> list[Edit] | None:
        """The header of the function, its `return`, and the call of `tf.while_loop`."""
        home, loop, count = self.body.home, self.loop, self.count
        name = free_name(self.body, "step", "one_step", "loop_body", "iterate")
        indent = indent_of(self.body.home, loop)
        if name is None or indent is None:
            return None
        arrays = [each.name for each in self.lists]
        carried = [*states, *arrays]
        inner = " " * loop.body[0].col_offset
        first = (
            f"{inner}{count.element} = {count.rows.id}_by_step.read({count.name})\n"
            if isinstance(count.rows, ast.Name)
            else ""
        )
        begin = home.span(loop)
        end = home.span(header_of(loop))
        header = f"def {name}({', '.join([count.name, *carried])})"
        lines = [f"{inner}return {', '.join([f'{count.name} + 1', *carried])}", ""]
        lines += [f"{indent}{line}" if line else line for line in self._call(name, states, arrays)]
        last = loop.end_lineno or loop.lineno
        text = "".join(f"{line}\n" for line in lines)
        above = "".join(f"{indent}{line}\n" for line in [*self.before])
        edits = [
            home.insert(loop.lineno, 1, f"{above}\n" if above else ""),
            home.replace_stretch(begin.line, begin.column, end.end_line, end.end_column, header),
            home.insert_after(last, text)
            if last < len(home.lines)
            else home.insert(last, len(home.lines[last - 1]) + 1, "\n" + text.rstrip("\n")),
        ]
        return [*edits, home.insert(loop.body[0].lineno, 1, first)] if first else edits

    def _call(self, name: str, states: list[str], arrays: list[str]) -> list[str]:
        count = self.count
        results = [
            state if state in self.live or self._is_read_after(state) else "_" for state in states
        ] + arrays
        alone = all(each == "_" for each in results[: len(states)])
        targets = ", ".join(["*_" if states else "_", *arrays] if alone else ["_", *results])
        begins = ", ".join([count.start, *(self.starts.get(state, state) for state in states), *arrays])
        arguments = [
            f"lambda {count.name}, *_: {count.name} < {count.stop}",
            name,
            f"({begins},)" if not states and not arrays else f"({begins})",
            f"maximum_iterations={count.size}",
        ]
        result = f"{targets} = " if states or arrays else ""
        whole = f"{result}{self.tensorflow}.while_loop({', '.join(arguments)})"
        if len(whole) + self.loop.col_offset <= LONGEST_LINE:
            return [whole]
        return [f"{result}{self.tensorflow}.while_loop(", *(f"    {each}," for each in arguments), ")"]

    def _is_read_after(self, state: str) -> bool:
        """Whether what is read after the loop is the last element of a list."""
        end = self.loop.end_lineno or self.loop.lineno
        return any(edit.text == state and edit.line > end for edit in self.replaced.values())

    def _innermost_apart(self) -> list[Edit]:
        """The edits of the places, without those inside a place that is replaced as a whole."""
        nodes = self.replaced
        inner = {part for node in nodes for part in ast.walk(node) if part is not node}
        return [*self.writes, *(edit for node, edit in nodes.items() if node not in inner)]
