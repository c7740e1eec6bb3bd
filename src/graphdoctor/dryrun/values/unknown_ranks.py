"""Tensors of which a graph does not even know how many axes they have."""

import ast
from collections.abc import Iterable, Mapping

from graphdoctor.dryrun.control.conditions import truth
from graphdoctor.dryrun.core.machine import Machine
from graphdoctor.dryrun.tracing.operations import numeric_parts
from graphdoctor.dryrun.values import Origin, Tensor, Value

# Run on 2.21: these need to know how many axes there are.
NEEDING_RANK = (
    "tensorflow.image.resize", "tensorflow.image.central_crop", "tensorflow.nn.max_pool",
    "tensorflow.nn.avg_pool",
)  # fmt: skip
# Run on 2.21: what these give has any number of axes, unless a parameter says that it has not.
LOSING_RANK = {"tensorflow.io.decode_image": "expand_animations", "tensorflow.io.parse_tensor": ""}
KEEPING_AXES = ("same:", "broadcast:")


def note_open_rank(machine: Machine, data: Value, node: ast.AST) -> None:
    """Write down that something needs the rank of data whose rank is unknown."""
    for part in numeric_parts(data):
        if isinstance(part, Tensor) and part.open_rank is not None:
            machine.log.rank_unknown(part, part.open_rank, node)


def rank_lost(name: str, rule: str, given: Mapping[str, Value], made: Tensor) -> Origin | None:
    """Where the rank of an operation's result was lost: here, or before, and the operation keeps the axes."""
    if made.graph is None or made.shape is not None:
        return None
    if name in LOSING_RANK:
        option = given.get(LOSING_RANK[name])
        return made.origin if option is None or truth(option) is True else None
    return lost_before(given.values()) if rule.startswith(KEEPING_AXES) else None


def lost_before(values: Iterable[Value]) -> Origin | None:
    """Where the rank of one of some tensors was lost."""
    return next((each.open_rank for each in values if isinstance(each, Tensor) and each.open_rank), None)
