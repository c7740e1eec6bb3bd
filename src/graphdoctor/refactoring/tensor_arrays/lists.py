"""A list that a function fills in a loop → the TensorArray that it could be."""

import ast
import dataclasses
import math

from msgspec.structs import replace

from graphdoctor.model import Edit
from graphdoctor.refactoring.initial_values.zeros import Kind
from graphdoctor.refactoring.syntax.dtypes import dtype_of
from graphdoctor.refactoring.syntax.statements import insert_lines_after
from graphdoctor.source.names import dotted_name, module_alias
from graphdoctor.source.scopes import Scope
from graphdoctor.source.surroundings import Body, block_of, free_name, is_elif, value_given

STACKERS = {
    "tensorflow.stack",
    "tensorflow.convert_to_tensor",
    "keras.ops.stack",
    "keras.ops.convert_to_tensor",
}
JOINERS = {"tensorflow.concat", "keras.ops.concatenate"}
# These add the elements up; of the stacked tensor, over its first axis.
ADDERS = {"tensorflow.add_n", "tensorflow.math.add_n", "builtins.sum"}


@dataclasses.dataclass(eq=False, slots=True)
class Accumulator:
    """A local list: where it is made, the one place that fills it, and its other uses."""

    name: str
    body: Body
    created: ast.expr
    filling: ast.AST
    element: ast.expr
    other_uses: list[ast.Name]

    @property
    def scope(self) -> Scope:
        """The scope of the function that fills it."""
        return self.body.scope


def accumulator_at(body: Body, node: ast.AST) -> Accumulator | None:
    """The list that a call of `append`, or `+= […]`, alone fills; None where it is not made once, here."""
    filled, element, statement = _filling(body, node)
    if not isinstance(filled, ast.Name) or element is None or statement is None:
        return None
    name = filled.id
    own = [
        binding.node for binding in body.scope.bindings.get(name, ()) if not _lies_in(binding.node, statement)
    ]
    own, until = _before_it_is_replaced(body, statement, own)
    created = value_given(own[0], name) if len(own) == 1 and _gives_one_name_each(own[0]) else None
    if created is None or not _is_list(created):
        return None
    uses = [
        use
        for use in ast.walk(body.function.node)
        if isinstance(use, ast.Name) and use.id == name and isinstance(use.ctx, ast.Load)
        if use.lineno <= until
    ]
    others = [use for use in uses if not _lies_in(use, statement) or _lies_in(use, element)]
    return Accumulator(name, body, created, statement, element, others)


def _before_it_is_replaced(
    body: Body, filling: ast.stmt, bindings: list[ast.AST]
) -> tuple[list[ast.AST], float]:
    """The bindings of a list's name up to `outputs = tf.stack(outputs)`, and the last line of that."""
    if len(bindings) < 2 or not all(isinstance(each, ast.stmt) for each in bindings):
        return bindings, math.inf
    made, replaced, *_ = bindings
    block = block_of(body.home, made) if isinstance(made, ast.stmt) else []
    loops = [outer for outer in (filling, *body.ancestors(filling)) if outer in block]
    if replaced not in block or not loops or block.index(replaced) <= block.index(loops[0]):
        return bindings, math.inf
    return [made], getattr(replaced, "end_lineno", 0)


def _gives_one_name_each(statement: ast.AST) -> bool:
    """Whether no two names get the same list, as in `states = rewards = []`."""
    return isinstance(statement, ast.AnnAssign) or (
        isinstance(statement, ast.Assign) and len(statement.targets) == 1
    )


def _filling(body: Body, node: ast.AST) -> tuple[ast.expr | None, ast.expr | None, ast.stmt | None]:
    """The list that a statement fills, what it puts in, and the statement."""
    nothing = None, None, None
    if isinstance(node, ast.Call):
        statement = body.parents.get(node)
        plain = isinstance(node.func, ast.Attribute) and node.func.attr == "append" and not node.keywords
        if not plain or len(node.args) != 1 or not isinstance(statement, ast.Expr):
            return nothing
        return node.func.value, node.args[0], statement  # type: ignore[attr-defined]
    added = node.value if isinstance(node, ast.AugAssign) and isinstance(node.op, ast.Add) else None
    if isinstance(node, ast.Assign) and len(node.targets) == 1:
        value = node.value
        if isinstance(value, ast.BinOp) and isinstance(value.op, ast.Add):
            added = value.right if ast.unparse(value.left) == ast.unparse(node.targets[0]) else None
    if not isinstance(added, ast.List) or len(added.elts) != 1 or isinstance(added.elts[0], ast.Starred):
        return nothing
    assert isinstance(node, ast.AugAssign | ast.Assign)
    return node.target if isinstance(node, ast.AugAssign) else node.targets[0], added.elts[0], node


def _lies_in(node: ast.AST, statement: ast.AST) -> bool:
    return any(part is node for part in ast.walk(statement))


def _is_list(value: ast.expr | None) -> bool:
    return isinstance(value, ast.List) or (
        isinstance(value, ast.Call)
        and isinstance(value.func, ast.Name)
        and value.func.id == "list"
        and not value.args
    )


def to_tensor_array(accumulator: Accumulator, kind: Kind) -> tuple[Edit, ...] | None:
    """The edits that make the list a TensorArray; None unless every use of it is understood."""
    module, element, value = accumulator.body.home, accumulator.element, accumulator.created
    tensorflow = module_alias("tensorflow", accumulator.scope)
    first = value.elts if isinstance(value, ast.List) else []
    several = isinstance(element, ast.Tuple | ast.List | ast.Dict | ast.Set)
    if tensorflow is None or several or any(isinstance(item, ast.Starred) for item in first):
        return None
    reader = ArrayReader(accumulator, tensorflow, kind)
    fillings = {use: _filled_by(accumulator.body, use) for use in accumulator.other_uses}
    uses = [reader.edit(use) for use, filling in fillings.items() if filling is None]
    known = [edit for edit in uses if edit is not None]
    if len(known) < len(uses) or (reader.turned and reader.stacks):
        return None
    array = reader.growing() + "".join(
        f".write({number}, {module.source_of(item)})" for number, item in enumerate(first)
    )
    filled = [(element, accumulator.filling), *(filling for filling in fillings.values() if filling)]
    written = (edit for each in filled for edit in reader.written(*each))
    return module.replace(value, array), *written, *known


def _filled_by(body: Body, use: ast.Name) -> tuple[ast.expr, ast.AST] | None:
    """What another `append` puts into the list, and that statement."""
    method = body.parents.get(use)
    call = body.parents.get(method) if isinstance(method, ast.Attribute) else None
    filled, element, statement = _filling(body, call) if isinstance(call, ast.Call) else (None, None, None)
    return (element, statement) if filled is use and element is not None and statement is not None else None


class ArrayReader:
    """How the uses of a list are written for the TensorArray in its place."""

    def __init__(self, accumulator: Accumulator, tensorflow: str, kind: Kind) -> None:
        self.accumulator, self.tensorflow, self.kind = accumulator, tensorflow, kind
        self.body, self.module, self.name = accumulator.body, accumulator.body.home, accumulator.name
        self.reads = False  # an element is read while others are still written
        self.stacks = False
        self.joins: str | None = None  # the axis of `tf.concat`

    @property
    def turned(self) -> bool:
        """Whether the axis that `concat` joins is another than the first."""
        return self.joins not in (None, "0")

    def growing(self) -> str:
        """The array that an empty list becomes."""
        keep = ", clear_after_read=False" if self.reads else ""
        dtype = known_dtype(self.accumulator, self.kind) or "float32"  # the likely one
        return f"{self.tensorflow}.TensorArray({self.tensorflow}.{dtype}, size=0, dynamic_size=True{keep})"

    def written(self, element: ast.expr, statement: ast.AST) -> tuple[Edit, ...]:
        """The edits around an element that write it, with the axis that `concat` joins in the first place."""
        before, index = f"{self.name} = ", f"{self.name}.size(), "
        index += f"{self.tensorflow}.experimental.numpy.moveaxis(" if self.turned else ""
        after = f", {self.joins}, 0)" if self.turned else ""
        whole, inner = self.module.span(statement), self.module.span(element)
        behind = replace(inner, line=inner.end_line, column=inner.end_column)
        if not isinstance(statement, ast.Expr) or not isinstance(statement.value, ast.Call):
            opening = replace(whole, end_line=inner.line, end_column=inner.column)
            closing = replace(whole, line=inner.end_line, column=inner.end_column)
            text = f"{before}{self.name}.write({index}"
            return Edit.at(opening, text=text), Edit.at(closing, text=f"{after})")
        method = self.module.span(statement.value.func)
        name = replace(method, line=method.end_line, column=method.end_column - len("append"))
        return (
            self.module.insert_before(statement, before),
            Edit.at(name, text="write"),
            self.module.insert_before(element, index),
            *((Edit.at(behind, text=after),) if after else ()),
        )

    def edit(self, use: ast.expr) -> Edit | None:
        """The edit of one use of the list, or of what stands for it; None where an array would not do."""
        around = self.body.parents.get(use)
        if isinstance(around, ast.Call) and use in around.args:
            return self._argument(around, use)
        if isinstance(around, ast.Subscript) and around.value is use and isinstance(around.ctx, ast.Load):
            return self._item(around)
        if isinstance(around, ast.Attribute) or self._is_filled_around(use):
            return None
        return self._whole(use)

    def _is_filled_around(self, use: ast.AST) -> bool:
        """Whether a use is in a loop that fills the list, and does not make it."""
        return any(
            isinstance(loop, ast.For | ast.While)
            and _lies_in(self.accumulator.filling, loop)
            and not _lies_in(self.accumulator.created, loop)
            for loop in self.body.ancestors(use)
        )

    def _whole(self, use: ast.expr) -> Edit | None:
        around = self.body.parents.get(use)
        taken = isinstance(around, ast.Return | ast.Tuple | ast.Dict | ast.For | ast.Assign | ast.keyword)
        self.stacks = True
        return self.module.replace(use, f"{self.name}.stack()") if taken else None

    def _item(self, item: ast.Subscript) -> Edit | None:
        if not self._is_filled_around(item):
            self.stacks = True
            call = self.body.parents.get(item)
            if (
                isinstance(item.slice, ast.Slice)
                and isinstance(call, ast.Call)
                and self._stacks_first(call, item)
            ):
                axis, part = self._axis(call), self.module.source_of(item.slice)
                return self._stacked(call, axis, f"[{part}]") if axis is not None else None
            return self.module.replace(item.value, f"{self.name}.stack()")
        if isinstance(item.slice, ast.Slice | ast.Tuple):
            return None
        self.reads = True
        text = self.module.source_of(item.slice)
        index = f"{self.name}.size() {text.replace('-', '- ', 1)}" if text.startswith("-") else text
        return self.module.replace(item, f"{self.name}.read({index})")

    def _argument(self, call: ast.Call, use: ast.expr) -> Edit | None:
        called = dotted_name(call.func, self.accumulator.scope) or ""
        axis = self._axis(call) if call.args[0] is use else None
        if called == "builtins.len" and len(call.args) == 1:
            return self.module.replace(call, f"{self.name}.size()")
        if self._is_filled_around(use):
            return None
        self.stacks |= called not in JOINERS
        if called in ADDERS and len(call.args) == 1:
            return self.module.replace(call, f"{self.tensorflow}.reduce_sum({self.name}.stack(), axis=0)")
        if called in JOINERS:
            return self._concatenated(call, axis)
        if called in STACKERS:
            return self._stacked(call, axis) if axis is not None else None
        return self.module.replace(use, f"{self.name}.stack()")

    def _axis(self, call: ast.Call) -> str | None:
        """The axis that a call is given, 0 by default; None where it is given something else as well."""
        given = {keyword.arg: keyword.value for keyword in call.keywords}
        if len(call.args) == 2 and not given:
            return self.module.source_of(call.args[1])
        if len(call.args) != 1 or set(given) - {"axis"}:
            return None
        return self.module.source_of(given["axis"]) if given else "0"

    def _stacks_first(self, call: ast.Call, given: ast.expr) -> bool:
        """Whether a call stacks what it is given first."""
        return call.args[:1] == [given] and dotted_name(call.func, self.accumulator.scope) in STACKERS

    def _stacked(self, call: ast.Call, axis: str, part: str = "") -> Edit:
        whole = f"{self.name}.stack(){part}"
        if axis != "0":
            whole = f"{self.tensorflow}.experimental.numpy.moveaxis({whole}, 0, {axis})"
        return self.module.replace(call, whole)

    def _concatenated(self, call: ast.Call, axis: str | None) -> Edit | None:
        """`concat` of a TensorArray joins along axis 0; elements are turned before and after for others."""
        if axis is None or self.kind.shape == () or self.joins not in (None, axis):
            return None
        self.joins = axis
        whole = f"{self.name}.concat()"
        if axis != "0":
            whole = f"{self.tensorflow}.experimental.numpy.moveaxis({whole}, 0, {axis})"
        return self.module.replace(call, whole)


def known_dtype(accumulator: Accumulator, kind: Kind) -> str | None:
    """The dtype of what is kept; None where neither the recording nor the source tells."""
    names = [part.id for part in ast.walk(accumulator.element) if isinstance(part, ast.Name)]
    counts = names and all(_is_loop_index(name, accumulator.scope) for name in names)
    return kind.dtype or ("int32" if counts else dtype_of(accumulator.element, accumulator.scope, {}))


def _is_loop_index(name: str, scope: Scope) -> bool:
    found = scope.lookup(name)
    values = [binding.value for binding in found[1]] if found else []
    return bool(values) and all(
        isinstance(value, ast.Call) and dotted_name(value.func, scope) == "tensorflow.range"
        for value in values
    )


def append_after(body: Body, node: ast.AST) -> tuple[Edit, ...] | None:
    """The edits that choose the item in the branches, and append it after the `if`; each must append once."""
    branch = next((outer for outer in body.ancestors(node) if isinstance(outer, ast.If)), None)
    name = free_name(body, "item", "appended")
    if branch is None or name is None or is_elif(body.home, branch) or not branch.orelse:
        return None
    appends = [_appends(block) for block in (branch.body, branch.orelse)]
    holders = {ast.unparse(call.func.value) for calls in appends for call in calls}  # type: ignore[attr-defined]
    if any(len(calls) != 1 for calls in appends) or len(holders) != 1:
        return None
    after = insert_lines_after(body.home, branch, f"{holders.pop()}.append({name})")
    if after is None:
        return None
    chosen = [body.home.replace(call, f"{name} = {body.home.source_of(call.args[0])}") for (call,) in appends]
    return (*chosen, after)


def _appends(block: list[ast.stmt]) -> list[ast.Call]:
    """The calls of `append` that stand in a block as statements, last; none where others lie deeper."""
    calls = [
        node
        for statement in block
        for node in ast.walk(statement)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr == "append"
        and len(node.args) == 1
    ]
    last = block[-1]
    return calls if isinstance(last, ast.Expr) and len(calls) == 1 and calls[0] is last.value else []
