"""GD305."""

import ast
from collections.abc import Iterator

from graphdoctor.model import Finding, Severity
from graphdoctor.rules.rule import Example, FailureText, Rule
from graphdoctor.source import Module
from graphdoctor.source.control_flow import graph_branches, is_read_after, leaves, stored_names


class BranchStructuresDiffer(Rule):
    """The two branches of a tensor `if` must give a name the same structure.

    What it finds
    A name that gets tuples or lists of different lengths, or dicts with different keys, in the two
    branches of an `if` on a tensor, and is read after it.

    Why it matters
    Both branches are traced into one operation with one structure of results. TensorFlow raises
    TypeError: "does not have the same nested structure".

    How to fix it
    Give both branches the same length or keys; fill what is missing with zeros.

    When to leave it
    Never: it raises when the function is traced.
    """

    id = "GD305"
    severity = Severity.ERROR
    failures = (
        FailureText(
            pattern=r"'(\w+)' .*(?:same nested structure|nested structures)",
            meaning="`{0}` has another structure in the other branch, or after a turn of the loop",
            order="Keep one structure",
        ),
    )
    examples = (
        Example(
            bad="""
                import tensorflow as tf


                @tf.function
                def states(x):
                    if tf.reduce_sum(x) > 0.0:
                        result = {"mean": x, "scale": x}
                    else:
                        result = {"mean": x}
                    return result


                print(len(states(tf.ones([2]))))
                """,
            good="""
                import tensorflow as tf


                @tf.function
                def states(x):
                    if tf.reduce_sum(x) > 0.0:
                        result = {"mean": x, "scale": x}
                    else:
                        result = {"mean": x, "scale": tf.ones_like(x)}
                    return result


                print(len(states(tf.ones([2]))))
                """,
            raises="TypeError",
        ),
    )

    def check_source(self, module: Module) -> Iterator[Finding]:
        for body in module.bodies:
            for branch in graph_branches(body):
                if leaves(branch.body) or leaves(branch.orelse):
                    continue
                first, second = stored_names(branch.body), stored_names(branch.orelse)
                for name in sorted(first.keys() & second.keys()):
                    shapes = [_structure(statements) for statements in (first[name], second[name])]
                    if None not in shapes and shapes[0] != shapes[1] and is_read_after(body, name, branch):
                        yield self.finding_in(
                            body,
                            second[name][0],
                            f"`{name}` has {shapes[0]} in one branch of an `if` on a tensor, "
                            f"and {shapes[1]} in the other",
                        )


def _structure(statements: list[ast.stmt]) -> str | None:
    """The structure that the only statement of a branch gives a name, in words."""
    only = statements[0]
    if len(statements) != 1 or not isinstance(only, ast.Assign) or not isinstance(only.targets[0], ast.Name):
        return None
    value = only.value
    if isinstance(value, ast.Tuple | ast.List) and not any(isinstance(e, ast.Starred) for e in value.elts):
        return f"{len(value.elts)} element{'' if len(value.elts) == 1 else 's'}"
    if isinstance(value, ast.Dict) and all(isinstance(key, ast.Constant) for key in value.keys):
        keys = sorted(str(key.value) for key in value.keys if isinstance(key, ast.Constant))
        return f"the keys {', '.join(keys)}"
    return None
