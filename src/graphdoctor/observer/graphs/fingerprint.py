"""Finished graph → a digest that two graphs share when they differ in constants and static shapes only."""

import hashlib
import re
from typing import Any

# What a value or a static shape leaves in a graph. `value` of a Const is the constant itself.
IGNORED_ATTRIBUTES = {"_output_shapes", "shape", "shapes", "output_shapes", "_user_specified_name"}
# Names of nested functions end in a counter that is new for each trace.
COUNTER = re.compile(r"_\d+(?=_|$)")


def fingerprint(graph: Any) -> tuple[str, int]:
    """The digest, and the size of the serialised graph in bytes."""
    definition = graph.as_graph_def()
    digest = hashlib.blake2b(digest_size=16)
    _add_nodes(digest, definition.node)
    for function in definition.library.function:
        digest.update(COUNTER.sub("", function.signature.name).encode())
        _add_nodes(digest, function.node_def)
    return digest.hexdigest(), definition.ByteSize()


def _add_nodes(digest: Any, nodes: Any) -> None:
    for node in nodes:
        digest.update(f"{node.op}({','.join(node.input)})".encode())
        constant = node.op == "Const"
        for key in sorted(node.attr):
            if key in IGNORED_ATTRIBUTES or (constant and key == "value"):
                continue
            attribute = node.attr[key]
            if attribute.HasField("func"):
                digest.update(f"{key}={COUNTER.sub('', attribute.func.name)}".encode())
            else:
                digest.update(key.encode() + attribute.SerializeToString())
