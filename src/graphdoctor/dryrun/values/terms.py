"""Terms: what a number is computed of, in a normal form, and what follows for its values.

A term is a sum of atoms, each so many times. An atom is an unknown, what a loop carries on, or an operation
on terms; equal operations on equal terms are one atom, so that numbers are compared by their terms.
"""

from __future__ import annotations

import itertools
import operator
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from graphdoctor.dryrun.core.context import LoopRun

numbers: Final = itertools.count(1)
Place = tuple[int, Any]  # a cell: the dict that holds it, and the key
NO_LOOPS: Final[frozenset[LoopRun]] = frozenset()

# ── The policy: which numbers that differ are a choice all the same.
MOST_FEW: Final = 4
COARSE: Final = 0.1  # a step of which ten make a new number, where it is unknown how often a loop iterates
LARGEST_SHIFT: Final = 64
ITERATIONS: Final = 24  # of a loop, as long as its numbers may come back
LARGEST: Final = 1e9
DEEPEST: Final = 12
MOST_PRODUCTS: Final = 3
MOST_VALUES: Final = 256

ONE_OF: Final = "one of"
# Unknowns of a loop: its count from below, another count of it, the length of what it fills
INDEX, COUNT, LENGTH = "index", "count", "length"
CYCLE: Final = "cycle"  # what a loop carries on, and is known to come to few values
SHOWN: Final = {INDEX: "count", COUNT: "count", LENGTH: "length", CYCLE: "one of a cycle"}
COUNTING: Final = (INDEX, COUNT)
RISING: Final = (INDEX, LENGTH)
ROUNDING: Final = frozenset(("floordiv", "int", "floor", "ceil", "trunc", "round"))
COMPUTED: Final[dict[str, Callable[..., Any]]] = {
    "add": operator.add, "sub": operator.sub, "mul": operator.mul, "truediv": operator.truediv,
    "floordiv": operator.floordiv, "mod": operator.mod, "pow": operator.pow, "xor": operator.xor,
    "and": operator.and_, "or": operator.or_, "rshift": operator.rshift, "max": max, "min": min, "abs": abs,
    "int": int, "float": float, "round": round,
}  # fmt: skip


class Atom:
    """What is no sum; `loops` are those at whose iterations it differs, `few`: it has few values."""

    __slots__ = ("args", "few", "loops", "number", "op")

    def __init__(self, op: str, args: tuple[Any, ...], loops: frozenset[LoopRun], few: bool) -> None:
        self.op = op
        self.args = args
        self.loops = loops
        self.few = few
        self.number = next(numbers)


class Term:
    """A sum of atoms, in the order of their numbers, each with its factor; and a number."""

    __slots__ = ("offset", "parts")

    def __init__(self, parts: tuple[tuple[Atom, float], ...], offset: float) -> None:
        self.parts = parts
        self.offset = offset

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Term) and self.parts == other.parts and self.offset == other.offset

    def __hash__(self) -> int:
        return hash((self.parts, self.offset))

    @property
    def loops(self) -> frozenset[LoopRun]:
        """The loops at whose iterations it differs, as far as its form shows."""
        return NO_LOOPS.union(*[atom.loops for atom, _ in self.parts])

    @property
    def atom(self) -> Atom | None:
        """The one unknown that it follows."""
        return self.parts[0][0] if len(self.parts) == 1 else None

    @property
    def factor(self) -> float:
        """How fast it follows that."""
        return self.parts[0][1] if len(self.parts) == 1 else 1

    def __repr__(self) -> str:
        shown = [f"{factor}·{_shown(atom)}" if factor != 1 else _shown(atom) for atom, factor in self.parts]
        return " + ".join([*shown, str(self.offset)] if self.offset or not shown else shown)


def _shown(atom: Atom) -> str:
    if atom.op == "carried":
        return f"`{atom.args[1][1]}` as the {atom.args[0]} finds it"
    return (
        f"{atom.op}({', '.join(map(str, atom.args))})" if atom.args else SHOWN.get(atom.op, f"x{atom.number}")
    )


_pool: dict[tuple[str, tuple[Any, ...]], Atom] = {}


def let_go() -> None:
    """Forget the atoms of a run that is over."""
    _pool.clear()


def constant(value: float) -> Term:
    """A number that is known."""
    return Term((), value)


def unknown(loops: frozenset[LoopRun] = NO_LOOPS, few: bool = False, op: str = "unknown") -> Term:
    """Another unknown than all others."""
    return Term(((Atom(op, (), loops, few), 1),), 0)


def carried(loop: LoopRun, place: Place, value: float) -> Term:
    """What an iteration of a loop finds in a cell that held this before."""
    return Term(((_pooled("carried", (loop, place, value), frozenset((loop,)), True), 1),), 0)


def _pooled(op: str, args: tuple[Any, ...], loops: frozenset[LoopRun], few: bool) -> Atom:
    found = _pool.get((op, args))
    if found is None:
        found = _pool[op, args] = Atom(op, args, loops, few)
    return found


def call(name: str, args: tuple[Any, ...]) -> Atom:
    """What a function computes of arguments that are known by what they are computed of."""
    return _pooled(name, args, NO_LOOPS, False)


def add(one: Term, other: Term, times: float = 1) -> Term:
    """`one + times * other`."""
    if not other.parts:
        return Term(one.parts, one.offset + times * other.offset)
    parts = dict(one.parts)
    for atom, factor in other.parts:
        parts[atom] = parts.get(atom, 0) + times * factor
    made = _sum(parts, one.offset + times * other.offset)
    for atom, factor in made.parts:
        if atom.op == "mod":  # `n - n % k` is `n // k * k`
            number, divisor = atom.args
            rest = _sum({each: size for each, size in made.parts if each is not atom}, 0)
            if not divisor.parts and rest.parts and rest == _scaled(Term(number.parts, 0), -factor):
                whole = apply("floordiv", number, divisor)
                offset = made.offset + factor * number.offset
                return add(constant(offset), whole, -factor * divisor.offset)
    return made


def _sum(parts: Mapping[Atom, float], offset: float) -> Term:
    kept = [each for each in parts.items() if each[1]]
    return Term(tuple(sorted(kept, key=lambda each: each[0].number)), offset)


def _scaled(term: Term, factor: float) -> Term:
    if not factor:
        return constant(0)
    return Term(tuple([(atom, size * factor) for atom, size in term.parts]), term.offset * factor)


def apply(name: str, *terms: Term) -> Term:
    """The term of an operation on numbers."""
    one, other = terms[0], terms[-1]
    if name == "add":
        return add(one, other)
    if name == "sub":
        return add(one, other, -1)
    if name == "neg":
        return _scaled(one, -1)
    if name == "mul":
        if not one.parts or not other.parts:
            return _scaled(one, other.offset) if not other.parts else _scaled(other, one.offset)
        if len(one.parts) * len(other.parts) <= MOST_PRODUCTS:
            return _product(one, other)
    if name == "truediv" and not other.parts and other.offset:
        return _scaled(one, 1 / other.offset)
    if len(terms) == 2 and one == other and name in ("min", "max"):
        return one
    if not any(term.parts for term in terms) and name in COMPUTED:
        try:
            return constant(COMPUTED[name](*[term.offset for term in terms]))
        except (ArithmeticError, TypeError, ValueError):
            return unknown()
    loops = NO_LOOPS.union(*[term.loops for term in terms])
    return Term(((_pooled(name, terms, loops, _gives_few(name, terms)), 1),), 0)


def _product(one: Term, other: Term) -> Term:
    made = constant(one.offset * other.offset)
    made = add(add(made, Term(one.parts, 0), other.offset), Term(other.parts, 0), one.offset)
    for (first, factor), (second, times) in itertools.product(one.parts, other.parts):
        pair = sorted((first, second), key=lambda atom: atom.number)
        few = first.few and second.few
        atom = _pooled("mul", tuple(Term(((each, 1),), 0) for each in pair), first.loops | second.loops, few)
        made = add(made, Term(((atom, factor * times),), 0))
    return made


def one_of(terms: tuple[Term, ...], loops: frozenset[LoopRun] = NO_LOOPS) -> Term:
    """One of several; which of them differs at the iterations of these loops."""
    if len(set(terms)) == 1:
        return terms[0]
    loops = loops.union(*[term.loops for term in terms])
    return Term(((Atom(ONE_OF, terms, loops, all(map(is_few, terms))), 1),), 0)


# ── Questions


def is_few(term: Term) -> bool:
    """Whether a number is one of a few, also where it is rounded to multiples of another: `n // 8 * 8`."""
    return all(
        atom.few or (atom.op in ROUNDING and abs(factor) > 1 and factor == int(factor))
        for atom, factor in term.parts
    )


def is_few_rounded(term: Term, divisor: float = 1) -> bool:
    """Whether few whole numbers are left when it is divided and rounded: `k // 20` in forty iterations."""
    if is_few(term) or not divisor:
        return is_few(term)
    step = abs(term.factor / divisor)
    iterations = 1
    for loop in term.loops:
        if loop.count is None:
            return step <= COARSE
        iterations *= loop.count
    return bool(term.loops) and step * iterations <= MOST_FEW


def counts(term: Term, loop: LoopRun) -> bool:
    """Whether a number has another value at each iteration of a loop, never an old one."""
    atom = term.atom
    return atom is not None and atom.op in COUNTING and loop in atom.loops


def holds_at_last(term: Term) -> LoopRun | None:
    """The loop of which a comparison holds from some iteration on, and for many: `left > right`."""
    atom = term.atom
    if atom is None or atom.op not in ("gt", "ge", "lt", "le") or term.offset:
        return None
    left, right = atom.args if atom.op in ("gt", "ge") else reversed(atom.args)
    if left.atom is None or left.atom.op not in RISING or left.factor <= 0:
        return None
    bound = 0 if right.parts else right.offset
    loops = [loop for loop in left.atom.loops if loop not in right.loops]
    many = (loop for loop in loops if loop.count is None or loop.count - bound > MOST_FEW)
    return next(many, None)


def _gives_few(name: str, terms: tuple[Term, ...]) -> bool:
    """Whether an operation gives one of a few."""
    if all(map(is_few, terms)) or name in ("bool", "sign", "eq", "ne", "lt", "le", "gt", "ge", "not"):
        return True
    one, other = terms[0], terms[-1]
    given = other.offset if not other.parts else None
    if name == "and":
        masks = [term.offset for term in (one, other) if not term.parts]
        return any(isinstance(m, int) and m >= 0 and m.bit_count() <= MOST_FEW // 2 for m in masks)
    if name == "mod":
        return isinstance(given, int) and given <= MOST_FEW
    if name == "floordiv":
        return given is not None and is_few_rounded(one, given)
    if name == "rshift":
        return isinstance(given, int) and 0 <= given < LARGEST_SHIFT and is_few_rounded(one, 2**given)
    if name in ROUNDING:
        return is_few_rounded(one, 10.0**-given if name == "round" and given is not None else 1)
    return name in ("min", "max") and _is_bounded(name, terms)


def _is_bounded(name: str, terms: tuple[Term, ...]) -> bool:
    """Whether `max(0, 1 - k)` or `min(k, 2)` has few values: of a count, or below a small number."""
    bounds = [term.offset for term in terms if not term.parts]
    rest = [term for term in terms if term.parts]
    if name == "min" and any(isinstance(bound, int) and abs(bound) <= MOST_FEW for bound in bounds):
        return True
    atom = rest[0].atom if bounds and len(rest) == 1 else None
    if atom is None or atom.op not in COUNTING:
        return False
    factor, offset = rest[0].factor, rest[0].offset
    way = min(bounds) - offset if name == "min" else offset - max(bounds)
    return (factor > 0) is (name == "min") and bool(factor) and way / abs(factor) < MOST_FEW


def goes_on(term: Term, place: Place) -> bool:
    """Whether sums and products lead from what a cell held to a term, whichever way is taken."""
    carrying = (atom for atom in leaves(term) if atom.op == "carried" and atom.args[1] == place)
    return any(mentions(term, atom) for atom in carrying)


def leaves(term: Term) -> Iterator[Atom]:
    """The unknowns of which a number is computed in the end."""
    pending = [atom for atom, _ in term.parts]
    seen = set(pending)
    while pending:
        atom = pending.pop()
        if not atom.args or atom.op == "carried":
            yield atom
            continue
        inner = dict.fromkeys(part for each in atom.args for part, _ in each.parts if part not in seen)
        pending += inner
        seen.update(inner)


def mentions(term: Term, atom: Atom, grows: bool = False, depth: int = 0) -> bool:
    """Whether sums and products lead from an unknown to a term; `grows`: one does already."""
    for each, factor in term.parts:
        further = grows or len(term.parts) > 1 or factor not in (1, -1) or (bool(term.offset) and factor == 1)
        if each is atom and further:
            return True
        if depth < DEEPEST and each.op in ("mul", "truediv", "pow", "min", "max", ONE_OF, "int", "float"):
            product = further or each.op in ("mul", "truediv", "pow")
            found = [mentions(inner, atom, product, depth + 1) for inner in each.args]
            if all(found) if each.op == ONE_OF else any(found):
                return True
    return False


def values(term: Term, found: Mapping[Place, set[Any]], depth: int = 0) -> set[Any] | None:
    """The values of a term where those of the cells are these; None: it hangs on more than that."""
    sums: set[Any] = {term.offset}
    for atom, factor in term.parts:
        inner = _values_of_atom(atom, found, depth)
        if inner is None:
            return None
        sums = {
            before + (each if factor == 1 else factor * each) if before or factor != 1 else each
            for before in sums
            for each in itertools.islice(inner, MOST_FEW * MOST_FEW)
        }
        if len(sums) > MOST_VALUES:
            return None
    return None if any(abs(each) > LARGEST for each in sums) else sums


def _values_of_atom(atom: Atom, found: Mapping[Place, set[Any]], depth: int) -> set[Any] | None:
    if atom.op == "carried":
        place: Place = atom.args[1]
        known_values: set[Any] = found.get(place, {atom.args[2]})
        return known_values
    inner = [values(each, found, depth + 1) for each in atom.args] if depth < DEEPEST else [None]
    if not atom.args or None in inner:
        return None
    known = [list(itertools.islice(each, MOST_FEW * MOST_FEW)) for each in inner if each is not None]
    if atom.op == ONE_OF:
        return {each for several in known for each in several}
    compute = COMPUTED.get(atom.op)
    if compute is None:
        return None
    try:
        return {compute(*given) for given in itertools.product(*known)}
    except (ArithmeticError, TypeError, ValueError):
        return None


def values_in_turn(steps: Mapping[Place, tuple[float, Term]]) -> Iterator[tuple[Place, set[Any]]]:
    """The values that cells come to which a loop changes again and again, or more than a few of them.

    `steps`: what each held before, and the term of what an iteration makes of it. What may stay as it is does
    not count: it is unknown how often it changes.
    """
    now: dict[Place, set[Any]] = {place: {begin} for place, (begin, _) in steps.items()}
    seen = {place: set(begin) for place, begin in now.items()}
    unknown_ones = {place for place, (begin, step) in steps.items() if may_stay(step, place, begin)}
    for _ in range(ITERATIONS):
        found = {place: values(step, now) for place, (_, step) in steps.items() if place not in unknown_ones}
        unknown_ones |= {place for place, each in found.items() if each is None}
        now = {place: each for place, each in found.items() if each is not None}
        for place, each in now.items():
            if len(seen[place]) <= MOST_FEW:
                seen[place] |= each
    yield from ((place, each) for place, each in seen.items() if place not in unknown_ones)


def may_stay(step: Term, place: Place, begin: float) -> bool:
    """Whether an iteration may leave a cell as it was, on one of several ways."""
    atom = step.atom
    if atom is None or atom.op != ONE_OF or step.offset or step.factor != 1:
        return False
    return any(_is_old(each, place, begin) or may_stay(each, place, begin) for each in atom.args)


def _is_old(term: Term, place: Place, begin: float) -> bool:
    atom = term.atom
    if atom is None:
        return not term.parts and term.offset == begin
    return atom.op == "carried" and atom.args[1] == place and term.factor == 1 and not term.offset
