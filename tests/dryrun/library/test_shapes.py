"""Rules of shapes, one by one."""

import pytest
from given import Given

from graphdoctor.dryrun.library.arguments import UNKNOWN, Shape
from graphdoctor.dryrun.library.shapes import result_shape

BATCH = "batch"  # a size that the caller follows by name


@pytest.mark.parametrize(
    ("rule", "arguments", "expected"),
    [
        ("", Given(), None),
        ("no_such_rule:x", Given({"x": (2,)}), None),
        ("scalar", Given(), ()),
        ("same:x", Given({"x": (2, BATCH)}), (2, BATCH)),
        ("same:x", Given(), None),
        ("broadcast:x,y", Given({"x": (2, 1), "y": (3,)}), (2, 3)),
        ("broadcast:x,y", Given({"x": (BATCH, 1), "y": (3,)}), (BATCH, 3)),
        ("broadcast:x,y", Given({"x": (BATCH,), "y": (BATCH,)}), (BATCH,)),
        ("broadcast:x,y", Given({"x": (BATCH,), "y": ("other",)}), (UNKNOWN,)),
        ("broadcast:x,y", Given({"x": (BATCH,), "y": None}), None),
        ("reduce:x", Given({"x": (2, 3)}, axis=None, keepdims=False), ()),
        ("reduce:x", Given({"x": (2, 3)}, axis=-1, keepdims=False), (2,)),
        ("reduce:x", Given({"x": (2, 3)}, axis=[0, 1], keepdims=True), (1, 1)),
        ("reduce:x", Given({"x": (2, 3)}, axis=UNKNOWN, keepdims=False), None),
        ("reduce:x", Given({"x": (2, 3)}, axis=2), None),
        ("reduce:x@0", Given({"x": (2, 3)}, axis=None), (3,)),
        ("reduce:x@-2,-1", Given({"x": (5, 2, 3)}), (5,)),
        ("param:shape", Given(shape=[BATCH, 3]), (BATCH, 3)),
        ("param:shape", Given(shape=4), (4,)),
        ("param:size", Given(size=None), ()),
        ("param:shape", Given(shape=UNKNOWN), None),
        ("matmul:a,b", Given({"a": (BATCH, 3), "b": (3, 4)}), (BATCH, 4)),
        ("matmul:a,b", Given({"a": (2, 3), "b": (4, 3)}, transpose_b=True), (2, 4)),
        ("matmul:a,b", Given({"a": (5, 2, 3), "b": (3, 4)}), (5, 2, 4)),
        ("matmul:a,b", Given({"a": (2, 3), "b": (3,)}), (2,)),
        ("concat:x", Given({"x": [(2, 3), (4, 3)]}, axis=0), (6, 3)),
        ("concat:x", Given({"x": [(BATCH, 3), (BATCH, 4)]}, axis=-1), (BATCH, 7)),
        ("concat:x", Given({"x": [(BATCH, 3), None]}, axis=1), (BATCH, UNKNOWN)),
        ("concat:x", Given({"x": None}, axis=1), None),
        ("stack:x", Given({"x": [(BATCH, 3), None]}, axis=0), (2, BATCH, 3)),
        ("stack:x", Given({"x": [(2, 3), (2, 3)]}, axis=-1), (2, 3, 2)),
        ("expand:x", Given({"x": (2, 3)}, axis=-1), (2, 3, 1)),
        ("expand:x", Given({"x": (2, 3)}, axis=(0, 1)), (1, 1, 2, 3)),
        ("squeeze:x", Given({"x": (2, 1)}, axis=None), (2,)),
        ("squeeze:x", Given({"x": (BATCH, 1)}, axis=None), None),
        ("squeeze:x", Given({"x": (BATCH, 1)}, axis=-1), (BATCH,)),
        ("transpose:x", Given({"x": (2, 3, 4)}, perm=[0, 2, 1]), (2, 4, 3)),
        ("transpose:x", Given({"x": (2, BATCH)}, perm=None), (BATCH, 2)),
        ("transpose:x", Given({"x": (2, 3)}, perm=UNKNOWN), (UNKNOWN, UNKNOWN)),
        ("swap:x", Given({"x": (5, 2, 3)}), (5, 3, 2)),
        ("reshape:x", Given({"x": (2, 3)}, shape=[-1, 2]), (3, 2)),
        ("reshape:x", Given({"x": (BATCH, 3)}, shape=[-1, 3]), (UNKNOWN, 3)),
        ("reshape:x", Given({"x": (BATCH, 3)}, shape=[BATCH, 3, 1]), (BATCH, 3, 1)),
        ("reshape:x", Given({"x": (2, 3)}, shape=-1), (UNKNOWN,)),
        ("gather:x,indices", Given({"x": (8, 4), "indices": (BATCH,)}, axis=None), (BATCH, 4)),
        ("gather:x,indices", Given({"x": (8, 4), "indices": ()}, axis=1, batch_dims=0), (8,)),
        ("gather:x,indices", Given({"x": (8, 4), "indices": (8,)}, axis=1, batch_dims=1), None),
        ("one_hot:x", Given({"x": (BATCH,)}, depth=4, axis=None), (BATCH, 4)),
        ("one_hot:x", Given({"x": (2,)}, num_classes=4, axis=0), (4, 2)),
        ("eye:n,m", Given(n=3, m=None), (3, 3)),
        ("range:start,limit,delta", Given(start=5, limit=None, delta=1), (5,)),
        ("range:start,limit,delta", Given(start=1, limit=6, delta=2), (3,)),
        ("range:start,limit,delta", Given(start=UNKNOWN, limit=None, delta=1), (UNKNOWN,)),
        ("shape_of:x", Given({"x": (BATCH, 3)}), (2,)),
        ("shape_of:x", Given({"x": None}), (UNKNOWN,)),
        ("flat:x", Given({"x": (2, 3)}), (6,)),
        ("flat:x", Given({"x": (BATCH, 3)}), (UNKNOWN,)),
        ("rank:2", Given(), (UNKNOWN, UNKNOWN)),
        ("rank_of:x", Given({"x": (2, 3)}), (UNKNOWN, UNKNOWN)),
        ("rank_of:x-1", Given({"x": (2, 3)}), (UNKNOWN,)),
        ("rank_of:x+1", Given({"x": (2, 3)}), (UNKNOWN, UNKNOWN, UNKNOWN)),
    ],
)
def test_rules(rule: str, arguments: Given, expected: Shape | None) -> None:
    assert result_shape(rule, arguments) == expected
