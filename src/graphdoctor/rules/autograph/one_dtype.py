"""What the rules about dtypes share: the ways to give both values of a name one dtype."""

from collections.abc import Iterator

from graphdoctor.model import Fix, Safety
from graphdoctor.recording.format import Conflict, Place
from graphdoctor.refactoring.declarations.common_dtypes import as_dtype, candidates, option_of
from graphdoctor.refactoring.syntax.expressions import is_number_literal
from graphdoctor.refactoring.syntax.parameters import is_default_of_parameter
from graphdoctor.rules.facts import Facts
from graphdoctor.rules.offering import offer
from graphdoctor.rules.staged import dtypes_of, node_at
from graphdoctor.source.sites import ExpressionSite
from graphdoctor.source.surroundings import value_given


def dtype_fixes(
    facts: Facts,
    conflict: Conflict,
    likely: str | None,
    titles: tuple[str, str],
    of_literal: str = "Write the number as a float",
) -> tuple[Fix, ...]:
    """The likely dtype for both, then the other one, where a cast to it loses nothing but size.

    The titles are for an edit of the first value, and of the other one.
    """
    fixes = tuple(_fixes(facts, conflict, likely, titles, of_literal))
    return fixes or (Fix(title=titles[0], safety=Safety.MANUAL),)


def _fixes(
    facts: Facts, conflict: Conflict, likely: str | None, titles: tuple[str, str], of_literal: str
) -> Iterator[Fix]:
    first, second = dtypes_of(conflict)
    sides = ((first, conflict.before_place), (second, conflict.place))
    found = [(dtype, _value(facts, conflict, place)) for dtype, place in sides]
    literal = next((dtype for dtype, site in found if site and is_number_literal(site[1])), None)
    if literal is not None:  # a number is what the other value needs
        likely = second if literal == first else first
    for dtype in candidates(first, second, likely):
        module, value = next((site for had, site in found if had != dtype and site), (None, None))
        if module is None or value is None:
            continue
        edit = as_dtype(module, value, dtype)
        if edit is not None and is_number_literal(value) and dtype == "float32":
            others = is_default_of_parameter(module, value)  # whom it may serve as a whole number
            yield offer(of_literal, edit, Safety.UNSAFE if others else Safety.SAFE)
        elif edit is not None:
            yield offer(titles[0] if dtype != first else titles[1], edit)


def is_default(facts: Facts, conflict: Conflict, place: Place | None) -> bool:
    """Whether a value has its dtype because nothing was said, as what `tf.argmax` gives is int64."""
    site = _value(facts, conflict, place)
    return site is not None and option_of(*site) is not None


def _value(facts: Facts, conflict: Conflict, place: Place | None) -> ExpressionSite | None:
    statement = node_at(facts, place)
    value = value_given(statement[1], conflict.name) if statement is not None else None
    return (statement[0], value) if statement is not None and value is not None else None
