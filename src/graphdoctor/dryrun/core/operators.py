"""Arithmetic and comparisons."""

import ast
import operator
from collections.abc import Callable
from typing import Any, Final

from graphdoctor.dryrun.control.staging import is_symbolic, may_be_list
from graphdoctor.dryrun.core.arguments import Arguments
from graphdoctor.dryrun.core.folding import MOST_ITEMS, TooLargeError, fold
from graphdoctor.dryrun.core.machine import Machine, expression
from graphdoctor.dryrun.gradients.missing_gradients import note_lost_terms
from graphdoctor.dryrun.gradients.provenance import merge_paths
from graphdoctor.dryrun.staleness.allocation import active_loops
from graphdoctor.dryrun.staleness.value_numbering import note_recipe
from graphdoctor.dryrun.tracing.operations import opaque, operate
from graphdoctor.dryrun.values import (
    FALSE,
    NOTHING,
    TRUE,
    UNKNOWN,
    AbstractNumber,
    AbstractString,
    Array,
    Class,
    Constant,
    Dictionary,
    DType,
    Function,
    GraphFunction,
    Identity,
    Instance,
    KerasTensor,
    LibraryObject,
    Method,
    Module,
    Sequence,
    Setting,
    StaticShape,
    Stepped,
    Tensor,
    TypeOf,
    Union,
    Unknown,
    Value,
    Variable,
    Variables,
    computed_number,
    is_none,
    term_of,
    terms,
)
from graphdoctor.dryrun.values.class_membership import as_key, compared_type, is_member
from graphdoctor.dryrun.values.dtypes import broadcast, divided_dtype, mixed_dtype, shape_of
from graphdoctor.dryrun.values.iteration import is_typical_weight
from graphdoctor.dryrun.values.joining import alternatives, changing_size, join_all, python_type, texts_among
from graphdoctor.dryrun.values.open_sizes import OpenSize, note_open_size
from graphdoctor.dryrun.values.printed_content import is_text, text_of
from graphdoctor.dryrun.values.slicing import computed, distance
from graphdoctor.dryrun.values.terms import Term
from graphdoctor.dryrun.values.unknown_ranks import lost_before

ARITHMETIC: Final[dict[type[ast.operator], tuple[str, Callable[[Any, Any], Any]]]] = {
    ast.Add: ("add", operator.add),
    ast.Sub: ("sub", operator.sub),
    ast.Mult: ("mul", operator.mul),
    ast.Div: ("truediv", operator.truediv),
    ast.FloorDiv: ("floordiv", operator.floordiv),
    ast.Mod: ("mod", operator.mod),
    ast.Pow: ("pow", operator.pow),
    ast.MatMult: ("matmul", operator.matmul),
    ast.BitAnd: ("and", operator.and_),
    ast.BitOr: ("or", operator.or_),
    ast.BitXor: ("xor", operator.xor),
    ast.LShift: ("lshift", operator.lshift),
    ast.RShift: ("rshift", operator.rshift),
}
COMPARISONS: Final[dict[type[ast.cmpop], tuple[str, Callable[[Any, Any], Any]]]] = {
    ast.Eq: ("eq", operator.eq),
    ast.NotEq: ("ne", operator.ne),
    ast.Lt: ("lt", operator.lt),
    ast.LtE: ("le", operator.le),
    ast.Gt: ("gt", operator.gt),
    ast.GtE: ("ge", operator.ge),
}
# Not differentiable on TensorFlow 2.21: run, they give None.
WITHOUT_GRADIENT: Final = {"floordiv": "FloorDiv"}
OBJECTS: Final = (Instance, Class, Function, LibraryObject, GraphFunction, Module, Sequence, Dictionary)
NUMERIC: Final = (Tensor, Variable, KerasTensor, Array)


@expression(ast.BinOp)
def evaluate_arithmetic(machine: Machine, node: ast.BinOp) -> Value:
    return combine(machine, node.op, machine.evaluate(node.left), machine.evaluate(node.right), node)


def combine(machine: Machine, op: ast.operator, left: Value, right: Value, node: ast.AST) -> Value:
    """The result of an arithmetic operator."""
    name, compute = ARITHMETIC[type(op)]
    kind = right.__class__
    if left.__class__ is Tensor and (kind is Tensor or kind is Constant):
        return _combine_numeric(machine, name, left, right, node)
    if name == "mod" and is_text(left) and (not isinstance(right, Constant) or isinstance(right, OpenSize)):
        return text_of(machine, [(left, node), *_filled_in(right, node)], "%", node)
    for value in (left, right):
        if isinstance(value, OpenSize):
            note_open_size(machine, value, node, name)
            return AbstractNumber("int")
    if isinstance(left, Union) or isinstance(right, Union):
        pairs = [(a, b) for a in alternatives(left) for b in alternatives(right)]
        return join_all([combine(machine, op, a, b, node) for a, b in pairs])
    if isinstance(left, Constant) and isinstance(right, Constant):
        made = _compute(name, compute, left.value, right.value)
        return stepped_by(name, made, left, right)
    if name == "mul" and (_is_repeated(left, right) or _is_repeated(right, left)):
        return UNKNOWN
    if isinstance(left, NUMERIC) or isinstance(right, NUMERIC):
        made = _combine_numeric(machine, name, left, right, node)
        if isinstance(made, Array):
            made.number = computed(compute, [left, right])
        return made
    special = _special(machine, name, left, right, node)
    if special is not None:
        return special
    if isinstance(left, Sequence) or isinstance(right, Sequence):
        return _combine_sequences(machine, name, left, right, node)
    if python_type(left) == "str" or python_type(right) == "str":
        return text_of(machine, [(left, node), (right, node)], name)
    if python_type(left) and python_type(right):
        return _combine_scalars(name, left, right)
    return opaque(machine, [left, right], name, node)


def _is_repeated(value: Value, number: Value) -> bool:
    """Whether it may be a list that a whole number of NumPy repeats; an array would multiply its elements."""
    whole = isinstance(number, Array) and (number.dtype is None or number.dtype.startswith(("int", "uint")))
    return whole and isinstance(value, Sequence) and not number.shape  # type: ignore[attr-defined]


def _filled_in(value: Value, node: ast.AST) -> list[tuple[Value, ast.AST]]:
    """What `%` puts into a text."""
    items = value.items if isinstance(value, Sequence) and value.items is not None else (value,)
    return [(item, node) for item in items]


def _compute(name: str, compute: Callable[[Any, Any], Any], left: Any, right: Any) -> Value:
    """Two constants; a result that could be huge is not computed."""
    try:
        return Constant(fold(name, compute, left, right))
    except TooLargeError:
        if isinstance(left, str) or isinstance(right, str):
            return AbstractNumber("str")
        return AbstractNumber("int" if isinstance(left, int) and isinstance(right, int) else "float")
    except Exception:
        return UNKNOWN


def stepped_by(name: str, made: Value, *values: Value) -> Value:
    """A number that is computed of such as a loop carries on: it is one of them."""
    if not any(isinstance(value, Stepped) for value in values) or not isinstance(made, Constant):
        return made
    known = [term for value in values if (term := term_of(value)) is not None]
    if len(known) < len(values) or not isinstance(made.value, (int, float)):
        return made
    return Stepped(made.value, terms.apply(name, *known))


def _combine_scalars(name: str, left: Value, right: Value) -> Value:
    kinds = {python_type(left), python_type(right)}
    if name == "truediv":
        kind = "float"
    elif kinds <= {"int", "bool"}:
        kind = "int"
    else:
        kind = "float" if "float" in kinds else "number"
    paths = merge_paths(getattr(left, "paths", None), getattr(right, "paths", None))
    return computed_number(kind, name, (left, right), paths)


def _combine_sequences(machine: Machine, name: str, left: Value, right: Value, node: ast.AST) -> Value:
    if name == "mod" and python_type(left) == "str":
        return AbstractNumber("str", right.varies)
    if name == "add" and isinstance(left, Sequence) and isinstance(right, Sequence):
        machine.log.kept(right)
        first, second = left.items, right.items
        if first is not None and second is not None and len(first) + len(second) <= MOST_ITEMS:
            return Sequence(left.kind, first + second, machine.origin(node))
        from graphdoctor.dryrun.values.joining import element_of

        known = [element_of(each) for each in (left, right) if each.items != ()]
        made = Sequence(left.kind, None, machine.origin(node), join_all(known) if known else None)
        made.cells["grows"] = left.grows | right.grows
        made.length = _added_lengths(left, right)
        both = left.length is not None and right.length is not None and made.length is not None
        if both and made.length is not None and len(made.length.parts) != 1:
            made.cells["grows"] = NOTHING  # what one gets more the other may get less
        return made
    if name == "mul":
        sequence, number = (left, right) if isinstance(left, Sequence) else (right, left)
        if isinstance(sequence, Sequence):
            from graphdoctor.dryrun.values.joining import element_of

            count = number.value if isinstance(number, Constant) and isinstance(number.value, int) else None
            items = sequence.items
            if count is not None and items is not None and len(items) * count <= 64:
                return Sequence(sequence.kind, items * max(0, count), machine.origin(node))
            once = len(items) if items is not None else sequence.count
            length = count * once if count is not None and once is not None else None
            made = Sequence(sequence.kind, None, machine.origin(node), element_of(sequence), length)
            made.cells["grows"] = sequence.grows | changing_size(number)
            if isinstance(number, AbstractNumber) and items is not None and not sequence.grows:
                made.length = terms.apply("mul", number.term, terms.constant(len(items)))
            return made
    return UNKNOWN


def _added_lengths(left: Sequence, right: Sequence) -> Term | None:
    """The length of two lists together."""
    known = [each.length if each.items is None else terms.constant(len(each.items)) for each in (left, right)]
    return None if known[0] is None or known[1] is None else terms.add(known[0], known[1])


def _combine_numeric(machine: Machine, name: str, left: Value, right: Value, node: ast.AST) -> Value:
    values = [left, right]
    if isinstance(left, Unknown) or isinstance(right, Unknown):
        known = next(value for value in values if isinstance(value, NUMERIC))
        if isinstance(known, Array):
            return opaque(machine, values, name, node)
        dtype = divided_dtype(values, known.dtype) if name == "truediv" else known.dtype
        return operate(machine, name, values, node, dtype, None)
    dtype = mixed_dtype(values)
    if name == "truediv":
        dtype = divided_dtype(values, dtype)
    shape = _matmul_shape(left, right) if name == "matmul" else broadcast([shape_of(left), shape_of(right)])
    made = operate(machine, name, values, node, dtype, shape, without_gradient=WITHOUT_GRADIENT.get(name, ""))
    if isinstance(made, Tensor) and made.graph is not None and shape is None and name != "matmul":
        made.open_rank = lost_before(values)
    note_recipe(name, values, made)
    if name in ("add", "sub"):
        note_lost_terms(machine, name, made, left, right)
        if isinstance(made, Array) and made.shape == ():
            parts = [term for value in values if (term := term_of(value)) is not None]
            if len(parts) == 2 and made.number is None:
                made.term = terms.apply(name, *parts)
    return made


def _matmul_shape(left: Value, right: Value) -> tuple[int | AbstractNumber | None, ...] | None:
    first, second = shape_of(left), shape_of(right)
    if first is None or second is None or len(first) < 2 or len(second) < 2:
        return None
    before = broadcast([first[:-2], second[:-2]])
    return None if before is None else (*before, first[-2], second[-1])


def _special(machine: Machine, name: str, left: Value, right: Value, node: ast.AST) -> Value | None:
    """What `__add__` and the like of an object of the project give."""
    if name == "truediv" and isinstance(left, LibraryObject) and left.kind == "path":
        return machine.call(Method(left, "__truediv__"), Arguments([right]), node)
    if name == "add" and isinstance(left, Variables) and isinstance(right, Variables):
        return _both(machine, left, right, node)
    if isinstance(left, Instance) or isinstance(right, Instance):
        return _overloaded(machine, name, left, right, node)
    return None


def _overloaded(machine: Machine, name: str, left: Value, right: Value, node: ast.AST) -> Value | None:
    for value, other, method in ((left, right, f"__{name}__"), (right, left, f"__r{name}__")):
        if isinstance(value, Instance) and value.cls.find(method) is not None:
            return machine.call_method(value, method, Arguments([other]), node)
    return None


def _both(machine: Machine, one: Variables, other: Variables, node: ast.AST) -> Variables:
    """`encoder.trainable_variables + decoder.trainable_variables`; reported where one has none yet."""
    holders = Sequence("list", (one.of, other.of), machine.origin(node))
    kind = one.kind if one.kind == other.kind else "trainable_variables"
    early = one if one.early else other
    return Variables(holders, kind, early.early, early.origin)


def negate(machine: Machine, node: ast.UnaryOp, value: Value) -> Value:
    """`-x`, `+x`, `~x`."""
    if isinstance(value, Constant):
        try:
            if isinstance(node.op, ast.USub):
                return stepped_by("neg", Constant(-value.value), value)
            return Constant(+value.value if isinstance(node.op, ast.UAdd) else ~value.value)
        except Exception:
            note_open_size(machine, value, node, "neg")
            return UNKNOWN
    if isinstance(value, NUMERIC):
        made = operate(machine, "neg", [value], node, value.dtype, value.shape)
        if isinstance(made, Array) and isinstance(node.op, ast.USub):
            made.number = computed(operator.neg, [value])
        return made
    if isinstance(value, AbstractNumber) and isinstance(node.op, ast.USub) and value.type != "str":
        kind = "int" if value.type == "bool" else value.type
        return computed_number(kind, "neg", (value,), value.paths)
    return value if isinstance(value, AbstractNumber) else opaque(machine, [value], "neg", node)


@expression(ast.Compare)
def evaluate_comparison(machine: Machine, node: ast.Compare) -> Value:
    left = machine.evaluate(node.left)
    results: list[Value] = []
    for op, part in zip(node.ops, node.comparators, strict=True):
        right = machine.evaluate(part)
        results.append(compare_values(machine, op, left, right, node))
        left = right
    if len(results) == 1:
        return results[0]
    if any(isinstance(result, Tensor) for result in results):
        return Tensor("bool", (), machine.origin(node))
    known = [result.value for result in results if isinstance(result, Constant)]
    if False in known:
        return FALSE
    if len(known) == len(results):
        return TRUE
    return AbstractNumber("bool", frozenset().union(*(result.varies for result in results)))


def compare_values(machine: Machine, op: ast.cmpop, left: Value, right: Value, node: ast.AST) -> Value:
    """The result of one comparison; of a setting, it may be set otherwise too."""
    result = _compared(machine, op, left, right, node)
    if isinstance(result, Constant) and (isinstance(left, Setting) or isinstance(right, Setting)):
        return Setting(result.value)
    return result


def _compared(machine: Machine, op: ast.cmpop, left: Value, right: Value, node: ast.AST) -> Value:
    if isinstance(left, TypeOf) or isinstance(right, TypeOf):
        return compared_type(op, left, right)
    kind = op.__class__
    if kind is ast.Is or kind is ast.IsNot:
        return _identical(left, right, kind is ast.Is)
    if kind is ast.In or kind is ast.NotIn:
        return _contained(machine, left, right, kind is ast.In, node)
    name, compute = COMPARISONS[kind]
    if isinstance(left, OpenSize) != isinstance(right, OpenSize):
        size = left if isinstance(left, OpenSize) else right
        assert isinstance(size, OpenSize)
        other = right if size is left else left
        if is_none(other) and name in ("eq", "ne"):
            return TRUE if name == "eq" else FALSE
        if name in ("eq", "ne") and isinstance(other, Constant) and isinstance(other.value, int):
            machine.log.size_used("compared size", node, size, name)
        return FALSE if name == "eq" else TRUE if name == "ne" else AbstractNumber("bool")
    if isinstance(left, Union) or isinstance(right, Union):
        pairs = [(a, b) for a in alternatives(left) for b in alternatives(right)]
        return join_all([compare_values(machine, op, a, b, node) for a, b in pairs])
    if isinstance(left, Constant) and isinstance(right, Constant):
        try:
            return Constant(bool(compute(left.value, right.value)))
        except Exception:
            return UNKNOWN
    if name in ("eq", "ne") and is_member(left) and is_member(right):
        return Constant((left is right) == (name == "eq"))
    if isinstance(left, DType) and isinstance(right, DType) and name in ("eq", "ne"):
        return Constant((left.name == right.name) == (name == "eq"))
    if isinstance(left, (Tensor, Variable, KerasTensor)) or isinstance(
        right, (Tensor, Variable, KerasTensor)
    ):
        if name in ("eq", "ne") and any(
            isinstance(each, Constant) and each.value is None for each in (left, right)
        ):
            return _identical(left, right, name == "eq")  # TensorFlow answers in Python
        shape = broadcast([shape_of(left), shape_of(right)])
        return operate(machine, name, [left, right], node, "bool", shape, without_gradient=name)
    if isinstance(left, Array) or isinstance(right, Array):
        shape = broadcast([shape_of(left), shape_of(right)])
        return Array("bool", shape, machine.origin(node), varies=left.varies | right.varies)
    if isinstance(left, StaticShape) or isinstance(right, StaticShape):
        return AbstractNumber("bool")
    if isinstance(left, Unknown) or isinstance(right, Unknown):
        return UNKNOWN
    texts = texts_among(left), texts_among(right)
    if name in ("eq", "ne") and all(texts) and texts[0].isdisjoint(texts[1]):
        return Constant(name == "ne")
    between = distance(left, right)
    if between is not None and not between.parts:
        return Constant(bool(compute(0, between.offset)))
    return computed_number("bool", name, (left, right))


def _identical(left: Value, right: Value, wanted: bool) -> Value:
    if isinstance(left, Union):
        answers = {str(_identical(each, right, wanted)) for each in left.alternatives}
        return (
            _identical(left.alternatives[0], right, wanted) if len(answers) == 1 else AbstractNumber("bool")
        )
    if isinstance(left, Constant) and isinstance(right, Constant):
        return Constant((left.value is right.value) == wanted)
    if isinstance(left, Unknown) or isinstance(right, Unknown):
        return AbstractNumber("bool")
    if isinstance(left, AbstractNumber) or isinstance(right, AbstractNumber):
        none = any(isinstance(each, Constant) and each.value is None for each in (left, right))
        if none and any(isinstance(each, AbstractNumber) and each.open for each in (left, right)):
            return AbstractNumber("bool")
        return Constant(not wanted) if none else AbstractNumber("bool", left.varies | right.varies)
    if is_none(right) and isinstance(left, Tensor) and left.answer:
        return AbstractNumber("bool")
    return Constant((left is right) == wanted)


def _contained(machine: Machine, left: Value, right: Value, wanted: bool, node: ast.AST) -> Value:
    if may_be_list(machine, left) or may_be_list(machine, right):
        return UNKNOWN
    if is_symbolic(machine, left) and isinstance(right, Sequence):
        machine.log.use("membership", node, left, "in", node.left if isinstance(node, ast.Compare) else None)
        return UNKNOWN
    if is_symbolic(machine, right):
        given = node.comparators[0] if isinstance(node, ast.Compare) else None
        machine.log.use("membership", node, right, "in", given)
        return UNKNOWN
    if isinstance(right, Instance) and right.cls.find("__contains__") is not None:
        from graphdoctor.dryrun.control.conditions import truth

        answer = truth(machine.call_method(right, "__contains__", Arguments([left]), node))
        return AbstractNumber("bool") if answer is None else Constant(answer == wanted)
    if isinstance(left, Identity) and is_typical_weight(left.of):
        return Constant(not wanted)  # each variable is met once
    left = as_key(left) if isinstance(right, (Dictionary, Sequence)) else left
    if isinstance(left, Constant):
        try:
            if isinstance(right, Dictionary) and right.complete and left.value not in right.perhaps:
                return Constant((left.value in right.entries) == wanted)
            if isinstance(right, Constant) and isinstance(right.value, str):
                return Constant((left.value in right.value) == wanted)
            if isinstance(right, Sequence) and right.items is not None:
                keys = map(as_key, right.items)
                known = [key.value for key in keys if isinstance(key, Constant)]
                if len(known) == len(right.items):
                    return Constant((left.value in known) == wanted)
        except TypeError:
            return UNKNOWN
    if isinstance(left, Unknown) or isinstance(right, Unknown):
        return UNKNOWN
    if (texts := texts_among(left)) and isinstance(right, Sequence) and right.items is not None:
        listed = [texts_among(item) for item in right.items]
        if all(listed) and texts.isdisjoint(frozenset().union(*listed)):
            return Constant(not wanted)
    if isinstance(right, Dictionary) and _is_new(machine, left, right):
        return Constant(not wanted)
    return AbstractNumber("bool", left.varies | right.varies)


def _is_new(machine: Machine, key: Value, holder: Dictionary) -> bool:
    """Whether a key counts the iterations of the one loop that fills a dict: no earlier one had it."""
    if machine.is_outer(holder.origin.graph):
        return False  # an earlier trace may have filled it
    loops = active_loops(machine)
    if isinstance(key, AbstractString):
        return any(_is_new(machine, part, holder) for part in key.parts)
    if len(loops) != 1 or not isinstance(key, AbstractNumber):
        return False
    filled_here = holder.complete if not holder.grows else holder.grows == {loops[0]}
    return filled_here and loops[0].iteration > 1 and terms.counts(key.term, loops[0])
