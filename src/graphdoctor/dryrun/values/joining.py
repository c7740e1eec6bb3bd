"""Two values that a name may have → the one that stands for both."""

from collections.abc import Iterable
from typing import Any, Final

from graphdoctor.dryrun.core.context import LoopRun
from graphdoctor.dryrun.gradients.provenance import merge_paths
from graphdoctor.dryrun.values import (
    NOTHING,
    REST,
    UNKNOWN,
    AbstractNumber,
    Array,
    BoundMethod,
    Cells,
    Class,
    Constant,
    Dataset,
    Dictionary,
    Dimension,
    DType,
    Function,
    Instance,
    KerasTensor,
    Library,
    LibraryObject,
    Numeric,
    Sequence,
    Shape,
    StaticShape,
    Stepped,
    Tensor,
    TensorArray,
    Union,
    Unknown,
    Value,
    Variable,
    term_of,
    terms,
    unknown_size,
)

MOST_ALTERNATIVES: Final = 4
DEEPEST: Final = 5


class Missing(Value):
    """No value at all: a name that is not defined on this way."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "Missing"


MISSING: Final = Missing()
PYTHON_TYPES: Final = {kind: kind.__name__ for kind in (int, float, bool, str, complex)}
# Two of these are the same only where they are one.
ONLY_THEMSELVES: Final = frozenset(
    (Tensor, Array, KerasTensor, Variable, Sequence, Dictionary, Instance, LibraryObject, Function, Class)
)


def python_type(value: Value) -> str:
    """`int`, `float`, `str`, `bool`, `number` for a Python scalar; empty for anything else."""
    if value.__class__ is Tensor:
        return ""
    if isinstance(value, Constant):
        return PYTHON_TYPES.get(value.value.__class__, "")
    return value.type if isinstance(value, AbstractNumber) else ""


def same(one: Value, other: Value) -> bool:
    """Whether two values are surely the same."""
    if one is other:
        return True
    kind = one.__class__
    if kind in ONLY_THEMSELVES or (kind is not other.__class__ and not _are_plain(kind, other.__class__)):
        return False
    if isinstance(one, Constant) and isinstance(other, Constant):
        return type(one.value) is type(other.value) and bool(one.value == other.value)
    if isinstance(one, AbstractNumber) and isinstance(other, AbstractNumber):
        like = one.type == other.type and one.varies == other.varies and one.paths is other.paths
        return like and one.among == other.among
    if isinstance(one, Unknown):
        return True
    if isinstance(one, (Library, DType)):
        return one.name == other.name  # type: ignore[attr-defined,no-any-return]
    if isinstance(one, BoundMethod) and isinstance(other, BoundMethod):
        return one.receiver is other.receiver and same(one.function, other.function)
    if isinstance(one, Union) and isinstance(other, Union):
        pairs = zip(one.alternatives, other.alternatives, strict=False)
        return len(one.alternatives) == len(other.alternatives) and all(same(a, b) for a, b in pairs)
    return False


def _are_plain(kind: type, other: type) -> bool:
    return (
        (kind is Stepped or other is Stepped) and issubclass(kind, Constant) and issubclass(other, Constant)
    )


def join(one: Value, other: Value, varies: frozenset[LoopRun] = NOTHING, depth: int = 0) -> Value:
    """What is true of both; it differs at the iterations of the loops `varies` when the two do."""
    if one is MISSING:
        return other
    if other is MISSING or one is other or same(one, other):
        return _either(one, other) if isinstance(one, AbstractNumber) else one
    if isinstance(one, Unknown) or isinstance(other, Unknown) or depth > DEEPEST:
        return UNKNOWN
    if python_type(one) and python_type(other):
        return _join_scalars(one, other, varies)
    if isinstance(one, Numeric) and type(one) is type(other):
        return _join_numeric(one, other, varies)
    if isinstance(one, Sequence) and isinstance(other, Sequence) and one.kind == other.kind:
        return _join_sequences(one, other, varies, depth)
    if isinstance(one, Dictionary) and isinstance(other, Dictionary):
        return _join_dictionaries(one, other, varies, depth)
    if isinstance(one, TensorArray) and isinstance(other, TensorArray):
        paths = merge_paths(one.paths, other.paths)
        return TensorArray(one.dtype, join_shapes(one.element, other.element), one.origin, one.options, paths)
    if isinstance(one, StaticShape) and isinstance(other, StaticShape):
        return StaticShape(join_shapes(one.dimensions, other.dimensions, varies), one.of)
    if isinstance(one, Dataset) and isinstance(other, Dataset):
        iterations = one.iterations if one.iterations == other.iterations else None
        return one.derived(join(one.element, other.element, varies, depth + 1), iterations)
    return _choice(one, other, varies, depth)


def _either(one: AbstractNumber, other: Value) -> AbstractNumber:
    """One of two numbers of which as much is known; they are the same only where their terms are."""
    if not isinstance(other, AbstractNumber) or one.term == other.term or one.type == "str":
        return one
    term = terms.one_of((one.term, other.term))
    return AbstractNumber(one.type, one.varies, one.few and other.few, one.paths, term)


def join_all(values: Iterable[Value]) -> Value:
    """What is true of all; Unknown when there are none."""
    result: Value = MISSING
    for value in values:
        result = join(result, value)
    return UNKNOWN if result is MISSING else result


def _join_scalars(one: Value, other: Value, varies: frozenset[LoopRun]) -> Value:
    first, second = python_type(one), python_type(other)
    kind = first if first == second else "number" if "str" not in (first, second) else ""
    if not kind:
        return Union((one, other))
    few = all(isinstance(each, Constant) or getattr(each, "few", False) for each in (one, other))
    paths = merge_paths(getattr(one, "paths", None), getattr(other, "paths", None))
    known = [term for each in (one, other) if (term := term_of(each)) is not None]
    term = terms.one_of(tuple(known), varies) if len(known) == 2 and kind != "str" else None
    joined = AbstractNumber(kind, one.varies | other.varies | varies, few, paths, term)
    first_texts, second_texts = texts_among(one), texts_among(other)
    if first_texts and second_texts:
        joined.among = first_texts | second_texts
    return joined


def texts_among(value: Value) -> frozenset[object]:
    """The texts of which a value is one; empty if unknown."""
    if isinstance(value, Constant) and isinstance(value.value, str):
        return frozenset([value.value])
    return value.among if isinstance(value, AbstractNumber) else frozenset()


def _join_numeric(one: Numeric, other: Numeric, varies: frozenset[LoopRun]) -> Value:
    dtype = one.dtype if one.dtype == other.dtype else None
    shape = join_shapes(one.shape, other.shape, varies)
    paths = merge_paths(one.paths, other.paths)
    if isinstance(one, Tensor) and isinstance(other, Tensor):
        if _are_of_two_traces(one, other):
            return UNKNOWN
        inner = one.graph is not None and (other.graph is None or one.graph.within(other.graph))
        origin = one.origin if inner or other.graph is None else other.origin
        joined = Tensor(dtype, shape, origin, paths, one.open_rank or other.open_rank)
        joined.watched = one.watched & other.watched
        joined.rebound = one.rebound or other.rebound
        joined.answer = one.answer or other.answer
        return joined
    if isinstance(one, Array):
        return Array(dtype, shape, one.origin, paths, one.varies | other.varies | varies)
    return type(one)(dtype, shape, one.origin, paths)


def _are_of_two_traces(one: Tensor, other: Tensor) -> bool:
    """Whether two tensors belong to graphs that do not see each other: one may be used, the other not."""
    first, second = one.graph, other.graph
    if first is None or second is None:
        return False
    return first.root is not second.root and not first.within(second) and not second.within(first)


def join_shapes(one: Shape, other: Shape, varies: frozenset[LoopRun] = NOTHING) -> Shape:
    """The dimensions that both have; one that differs is a size that we do not know."""
    if one is None or other is None or len(one) != len(other):
        return None
    return tuple(_join_dimensions(a, b, varies) for a, b in zip(one, other, strict=True))


def _join_dimensions(one: Dimension, other: Dimension, varies: frozenset[LoopRun]) -> Dimension:
    if one is other or (isinstance(one, int) and isinstance(other, int) and one == other):
        return one
    if one is None or other is None:
        return None
    known = isinstance(one, int) and isinstance(other, int)
    before = [each for each in (one, other) if isinstance(each, AbstractNumber)]
    loops = frozenset().union(varies if known else NOTHING, *(each.varies for each in before))
    return unknown_size(loops, all(each.few for each in before) and (known or bool(before)))


def changing_size(size: object) -> frozenset[LoopRun]:
    """The loops at whose iterations a length is another one; not where it takes a few values cyclically."""
    return size.varies if isinstance(size, Value) and not getattr(size, "few", False) else NOTHING


def element_of(sequence: Sequence) -> Value:
    """What is true of all elements; Unknown for an empty one."""
    items = sequence.items
    if items is None:
        return sequence.cells["element"] or UNKNOWN
    return alike(join_all(items))


def alike(element: Value) -> Value:
    """What is true of every place of a sequence: nothing where one holds a tensor and the other a tuple.

    These are no alternatives: each place knows well what it holds, and it is unknown which place is meant.
    """
    if not isinstance(element, Union):
        return element
    kinds = {type(each) for each in element.alternatives}
    mixed = len(kinds) > 1 and any(issubclass(kind, (Numeric, Sequence, Dictionary)) for kind in kinds)
    return UNKNOWN if mixed else element


def _length(sequence: Sequence) -> int | None:
    return len(sequence.items) if sequence.items is not None else sequence.count


def _join_sequences(one: Sequence, other: Sequence, varies: frozenset[LoopRun], depth: int) -> Value:
    """What is true of both; their length differs at the iterations of the loops where both are known."""
    first, second = one.items, other.items
    if first is not None and second is not None and len(first) == len(second):
        items = tuple(join(a, b, varies, depth + 1) for a, b in zip(first, second, strict=True))
        return Sequence(one.kind, items, one.origin, fields=one.fields)
    element: Value = MISSING
    for each in (one, other):
        if each.items != ():
            element = alike(join(element, element_of(each), varies, depth + 1))
    joined = Sequence(one.kind, None, one.origin, None if element is MISSING else element)
    have_lengths = None not in (_length(one), _length(other))
    joined.cells["grows"] = one.grows | other.grows | (varies if have_lengths else NOTHING)
    if one.cells.get("open") or other.cells.get("open"):
        joined.cells["open"] = True
    return joined


def _join_dictionaries(one: Dictionary, other: Dictionary, varies: frozenset[LoopRun], depth: int) -> Value:
    cells: Cells = {}
    for key in dict.fromkeys([*one.cells, *other.cells]):
        if key in one.cells and key in other.cells:
            cells[key] = join(one.cells[key], other.cells[key], varies, depth + 1)
        else:
            single = one.cells[key] if key in one.cells else other.cells[key]
            cells[REST] = join(cells.get(REST, MISSING), single, varies, depth + 1)
    joined = Dictionary(cells, one.origin, one.type)
    joined.doubt(one.perhaps | other.perhaps)
    joined.grows = one.grows | other.grows
    return joined


def _choice(one: Value, other: Value, varies: frozenset[LoopRun], depth: int) -> Value:
    found: list[Value] = []
    for value in (*alternatives(one), *alternatives(other)):
        if any(same(value, known) for known in found):
            continue
        for position, known in enumerate(found):
            if _mergeable(value, known):
                found[position] = join(known, value, varies, depth + 1)
                break
        else:
            found.append(value)
    if any(isinstance(value, Unknown) for value in found) or len(found) > MOST_ALTERNATIVES:
        return UNKNOWN
    return found[0] if len(found) == 1 else Union(tuple(found))


def _mergeable(one: Value, other: Value) -> bool:
    if isinstance(one, Numeric):
        return type(one) is type(other)
    return bool(python_type(one) and python_type(other))


def alternatives(value: Value) -> tuple[Value, ...]:
    """The values that a value may be."""
    return value.alternatives if isinstance(value, Union) else (value,)


def widen(old: Value, new: Value, loop: LoopRun) -> Value:
    """What a later iteration of a loop finds where the first iteration found `old` and left `new`."""
    if isinstance(old, AbstractNumber) and old.term.atom is not None and old.term.atom.op == terms.CYCLE:
        cycle = terms.unknown(old.varies, True, terms.CYCLE)
        return AbstractNumber(old.type, old.varies, True, old.paths, cycle) if python_type(new) else new
    if (
        isinstance(new, AbstractNumber)
        and isinstance(old, AbstractNumber)
        and new.few
        and old.term.atom is not None
        and terms.mentions(new.term, old.term.atom)
    ):
        loop.goes_on = True
        return AbstractNumber(new.type, new.varies | {loop}, False, new.paths)
    if isinstance(new, AbstractNumber) and _goes_on(old, new, loop):
        return AbstractNumber(new.type, new.varies | {loop}, new.few, new.paths)
    if same(old, new) or not isinstance(old, Value) or isinstance(new, Unknown):
        return new
    if python_type(old) and python_type(new):
        if loop.iteration == 1 and _is_flag(old) and _is_flag(new):
            return new  # `first = False`: so it stays
        joined = join(old, new, frozenset([loop]))
        if isinstance(joined, AbstractNumber):
            earlier = frozenset(each for each in joined.varies if each.node is not loop.node)
            flag = joined.type == "bool" or (isinstance(new, AbstractNumber) and new.few)
            return AbstractNumber(joined.type, earlier | {loop}, flag, joined.paths)
        return joined
    if isinstance(old, Numeric) and type(old) is type(new) and isinstance(new, Numeric):
        return _widen_shape(old, new, loop)
    if isinstance(old, Sequence) and isinstance(new, Sequence) and old.kind == new.kind and old is not new:
        first, second = old.items, new.items
        if first is not None and second is not None and len(first) == len(second):
            items = tuple(widen(a, b, loop) for a, b in zip(first, second, strict=True))
            return Sequence(new.kind, items, new.origin, fields=new.fields)
        return _join_sequences(old, new, frozenset([loop]), 0)
    return new


def _goes_on(old: Value, new: Value, loop: LoopRun) -> bool:
    """Whether a loop counts on from where an earlier run of it, or of another one, left off."""
    if not isinstance(old, AbstractNumber) or not isinstance(new, AbstractNumber):
        return False
    follows = old.term.atom is new.term.atom is not None and old.term != new.term
    return follows and bool(old.varies) and loop not in new.varies


def _is_flag(value: Value) -> bool:
    return isinstance(value, Constant) and isinstance(value.value, bool)


def _widen_shape(old: Numeric, new: Numeric, loop: LoopRun) -> Value:
    if old.shape is None or new.shape is None or old.shape == new.shape:
        return new
    if len(old.shape) != len(new.shape):
        return new
    shape = tuple(
        AbstractNumber("int", frozenset([loop])) if _is_another_size(a, b) else b
        for a, b in zip(old.shape, new.shape, strict=True)
    )
    if isinstance(new, Tensor):
        return new.shaped(shape)
    return Array(new.dtype, shape, new.origin, new.paths, new.varies | {loop})


def _is_another_size(old: Dimension, new: Dimension) -> bool:
    """Whether an iteration is known to have changed a size: to another number, or by one."""
    if isinstance(old, int) and isinstance(new, int):
        return old != new
    if isinstance(old, AbstractNumber) and isinstance(new, AbstractNumber):
        between = terms.add(new.term, old.term, -1)
        return not between.parts and between.offset != 0
    return False


def perhaps_replaced(cells: Cells, by: Value) -> dict[Any, Value]:
    """The constants among some cells, when one of them, it is unknown which, may have got another value."""
    if not isinstance(by, (Constant, Unknown)):
        return {}
    return {key: join(old, by) for key, old in cells.items() if isinstance(old, Constant) and key is not REST}
