"""GD201."""

import ast
from collections.abc import Iterator

from graphdoctor.model import Edit, Finding, Fix, Safety, Severity, Span
from graphdoctor.rewriting.imports import tensorflow_at
from graphdoctor.rewriting.texts import printed
from graphdoctor.rules.effects.kept import deferring
from graphdoctor.rules.effects.side_effects import all_effects, figures, what_ran
from graphdoctor.rules.facts import Facts
from graphdoctor.rules.offering import offer
from graphdoctor.rules.rule import Example, Rule
from graphdoctor.source import Module
from graphdoctor.source.names import dotted_name
from graphdoctor.source.scopes import Scope

KEPT_OPTIONS = {"sep", "end"}


class PrintInGraph(Rule):
    """`print` in a traced function speaks while tracing, and never again.

    What it finds
    A call of Python's `print` in a function that TensorFlow traces, unless it says that it reports
    tracing itself (the words "trace" or "tracing" in its text), or shows nothing but shapes and dtypes.

    Why it matters
    A traced function runs as Python once; after that its graph runs. `print` shows symbolic tensors
    at the first call and nothing at the others.

    How to fix it
    `tf.print` is part of the graph and speaks at each call. It writes to standard error unless
    told otherwise (`output_stream=sys.stdout`), which is why the fix is not called safe.

    When to leave it
    When you want to see when the function is traced.
    """

    id = "GD201"
    severity = Severity.WRONG
    examples = (
        Example(
            bad="""
                import tensorflow as tf


                @tf.function
                def train(x):
                    loss = tf.reduce_sum(x)
                    print("loss", loss)
                    return loss


                for step in range(3):
                    train(tf.ones([2]))
                """,
            good="""
                import tensorflow as tf


                @tf.function
                def train(x):
                    loss = tf.reduce_sum(x)
                    tf.print("loss", loss)
                    return loss


                for step in range(3):
                    train(tf.ones([2]))
                """,
            output=(
                'loss Tensor("Sum:0", shape=(), dtype=float32)',
                "loss 2\nloss 2\nloss 2",
            ),
        ),
    )

    def judge(self, facts: Facts) -> Iterator[Finding]:
        yield from super().judge(facts)
        for event, function in all_effects(facts, "print"):
            told_once = event.once and event.shows != "tensor"
            if told_once or event.shows in ("tracing", "static") or event.place is None:
                continue
            span = facts.span(event.place)
            yield self.finding(
                span,
                what_ran(facts, event, "`print`")
                or f"`print` runs only while `{function.name}` is traced, not at each call",
                function,
                event=event,
                observed=figures(facts, event),
                severity=Severity.NOTE if event.shows == "constant" else self.severity,
                fix=_fix(facts, span),
                alternatives=(*_formatted(facts, span), *deferring(facts, span)),
            )


def _fix(facts: Facts, span: Span) -> Fix | None:
    place = facts.sources.expression_at(span)
    call = place[1] if place else None
    if place is None or not isinstance(call, ast.Call):
        return None
    module = place[0]
    scope = module.scope_at(call)
    found = tensorflow_at(module, scope)
    formatted = any(
        isinstance(node, ast.JoinedStr)
        or (isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod))
        or (isinstance(node, ast.Attribute) and node.attr == "format")
        for argument in call.args
        for node in ast.walk(argument)
    )
    options = [_option(module, keyword, scope) for keyword in call.keywords]
    if found is None or formatted or not call.args or None in options:
        return Fix(title="Use `tf.print`", safety=Safety.MANUAL)
    tensorflow, imports = found
    edits = [edit for several in options if several for edit in several]
    edits += [module.replace(call.func, f"{tensorflow}.print"), *imports]
    return Fix(title="Use `tf.print`", safety=Safety.UNSAFE, edits=tuple(edits))


def _formatted(facts: Facts, span: Span) -> tuple[Fix, ...]:
    """An f-string as the arguments of `tf.print`, which shows numbers in its own way."""
    found = facts.sources.expression_at(span)
    module, call = found if found is not None else (None, None)
    known = tensorflow_at(module, module.scope_at(call)) if module is not None and call is not None else None
    if module is None or known is None or not isinstance(call, ast.Call):
        return ()
    text = printed(module, call, known[0])
    edits = (module.replace(call, text), *known[1]) if text is not None else None
    return (offer("Use `tf.print`", edits),) if edits else ()


def _option(module: Module, keyword: ast.keyword, scope: Scope) -> tuple[Edit, ...] | None:
    """The edits that an option of `print` needs; None for those that `tf.print` has nothing like."""
    if keyword.arg in KEPT_OPTIONS:
        return ()
    if keyword.arg == "file" and dotted_name(keyword.value, scope) in ("sys.stderr", "sys.stdout"):
        return (module.replace(keyword, f"output_stream={module.source_of(keyword.value)}"),)
    return None
