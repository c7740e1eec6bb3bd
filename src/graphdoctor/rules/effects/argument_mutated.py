"""GD205."""

import ast
from collections.abc import Iterator

from graphdoctor.model import Finding, Fix, Safety, Severity, Span
from graphdoctor.rules.effects.side_effects import all_effects
from graphdoctor.rules.facts import Facts
from graphdoctor.rules.rule import Example, FailureText, Rule


class ArgumentMutated(Rule):
    """A graph function may not change the list or dict that it is given.

    What it finds
    `batch["mask"] = …`, `del batch["x"]`, `items.append(…)` or `batch.pop(…)` on a parameter of a
    function decorated with `tf.function`.

    Why it matters
    TensorFlow compares the arguments after tracing and raises ValueError: "should not modify its
    Python input arguments".

    How to fix it
    Change a copy: `batch = dict(batch)` or `items = list(items)` as the first line.

    When to leave it
    When the argument is an object of a class of yours that allows the change.
    """

    id = "GD205"
    severity = Severity.ERROR
    failures = (
        FailureText(
            pattern=r"should not modify its Python input arguments.*modified: (\w+)",
            meaning="the function changes its argument `{0}`, which a traced function must not",
            order="Change a copy",
        ),
    )
    examples = (
        Example(
            bad="""
                import tensorflow as tf


                @tf.function
                def prepare(batch):
                    batch["mask"] = batch["ids"] > 0
                    return batch


                print(prepare({"ids": tf.constant([1, 0])})["mask"].numpy())
                """,
            good="""
                import tensorflow as tf


                @tf.function
                def prepare(batch):
                    batch = dict(batch)
                    batch["mask"] = batch["ids"] > 0
                    return batch


                print(prepare({"ids": tf.constant([1, 0])})["mask"].numpy())
                """,
            raises="ValueError",
        ),
    )

    def judge(self, facts: Facts) -> Iterator[Finding]:
        yield from super().judge(facts)
        for event, function in all_effects(facts, "argument"):
            if event.place is not None:
                span = facts.span(event.place)
                yield self.finding(
                    span,
                    f"`{function.name}` changes its argument `{event.name}`, which a graph function may not",
                    function,
                    event=event,
                    argument=event.name,
                    fix=_fix(facts, span, event.name),
                )


def _fix(facts: Facts, span: Span, name: str) -> Fix:
    """Copy the argument in the first line, when the change shows whether it is a dict."""
    found = facts.sources.expression_at(span)
    module, node = found or (None, None)
    maker = _maker(node) if node is not None else None
    around = module.scope_at(node).node if module and node else None
    body = [s for s in around.body if not _is_docstring(s)] if isinstance(around, ast.FunctionDef) else []
    first = body[0] if body else None
    parameters = [a.arg for a in around.args.args] if isinstance(around, ast.FunctionDef) else []
    if module is None or maker is None or first is None or name not in parameters:
        return Fix(title="Change a copy of it", safety=Safety.MANUAL)
    line = module.lines[first.lineno - 1]
    indent = line[: len(line) - len(line.lstrip())]
    return Fix(
        title="Change a copy of it",
        safety=Safety.SAFE,
        edits=(module.insert(first.lineno, 1, f"{indent}{name} = {maker}({name})\n"),),
    )


def _maker(node: ast.AST) -> str | None:
    if isinstance(node, ast.Subscript):
        key = node.slice
        return "dict" if isinstance(key, ast.Constant) and isinstance(key.value, str) else None
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        return "list" if node.func.attr in ("append", "extend", "insert", "reverse", "remove") else None
    return None


def _is_docstring(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
