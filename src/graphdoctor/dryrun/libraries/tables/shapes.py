"""The shape of a call's result, by the rule that the table states for it.

rule                     shape of the result
scalar                   no axes
same:x                   that of x
broadcast:x,y            x and y broadcast
reduce:x                 x without `axis` (all axes if None), or with ones there if `keepdims`
reduce:x,y@-1            x and y broadcast, then the same; the axis is -1 if none is given (or the axes -2,-1)
param:shape              the value of the parameter; a number means one axis, None means a scalar
shape_of:x               one axis, as long as x has axes
flat:x                   one axis, as long as x has elements
matmul:a,b               a matrix product, with transpose_a and transpose_b
split:x                  x, with a part of the axis that is split
concat:x  stack:x        the tensors in the list x, joined along `axis`
expand:x  squeeze:x      an axis more, or fewer
transpose:x  swap:x      axes in the order `perm`; the last two axes swapped
reshape:x                the value of the parameter `shape`, -1 filled in
gather:x,indices         rows of x
one_hot:x                x with an axis more, as long as `depth`
rfft:x                   x with half of `axis`, and one more; of `n` where that is given
eye:rows,columns         a matrix
range:start,stop,step    one axis, as Python's range counts
image:x@size             images x with another height and width: the value of `size`, or of two parameters
crops:x,boxes@size       one such image for each of the boxes
last:x@k                 x, with a last axis as long as the value of `k`
rank:2  rank_of:x+1      as many axes, sizes unknown
"""

import functools
from collections.abc import Callable

from graphdoctor.dryrun.libraries.tables import axis_rules, value_rules
from graphdoctor.dryrun.libraries.tables.arguments import UNKNOWN, Arguments, Shape


def result_shape(rule: str, arguments: Arguments) -> Shape | None:
    """The shape of the result; None where neither rule nor arguments tell it."""
    evaluate, rest = _parsed(rule)
    if evaluate is None:
        return None
    try:
        return evaluate(rest, arguments)
    except (ArithmeticError, IndexError, TypeError, ValueError):  # such arguments raise in the library too
        return None


@functools.cache
def _parsed(rule: str) -> "tuple[Evaluate | None, str]":
    """What evaluates a rule, and what it is given."""
    name, _, rest = rule.partition(":")
    return RULES.get(name), rest


Evaluate = Callable[[str, Arguments], Shape | None]
OF_AXES = ("reduce", "matmul", "concat", "split", "stack", "expand", "squeeze", "transpose", "swap", "gather",
           "one_hot", "rfft")  # fmt: skip
OF_VALUES = ("shape_of", "flat", "reshape", "eye", "image", "crops", "last", "rank_of")
RULES: dict[str, Evaluate] = {
    **{name: getattr(axis_rules, name) for name in OF_AXES},
    **{name: getattr(value_rules, name) for name in OF_VALUES},
    "scalar": lambda rest, arguments: (),
    "same": lambda rest, arguments: arguments.shape(rest),
    "broadcast": axis_rules.broadcast_all,
    "param": lambda rest, arguments: value_rules.sizes(arguments.value(rest)),
    "range": value_rules.range_length,
    "rank": lambda rest, arguments: (UNKNOWN,) * int(rest),
}
