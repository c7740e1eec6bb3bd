"""GD105."""

import ast
import re
from collections.abc import Iterator

from graphdoctor.model import Finding, Fix, Safety, Severity
from graphdoctor.rules.rule import Example, Rule
from graphdoctor.source import Module
from graphdoctor.source.functions import PARTIAL, TF_FUNCTION
from graphdoctor.source.names import dotted_name
from graphdoctor.source.scopes import Scope

NEW_NAMES = {"experimental_relax_shapes": "reduce_retracing", "experimental_compile": "jit_compile"}
GONE = "experimental_follow_type_hints"  # accepted and not looked at (TensorFlow 2.21)


class DeprecatedOption(Rule):
    """Options of `tf.function` that have another name today.

    What it finds
    `experimental_relax_shapes`, `experimental_compile` and `experimental_follow_type_hints` given to
    `tf.function`.

    Why it matters
    They are deprecated and will go; they do the same under their new names, which exist since
    TensorFlow 2.9.

    How to fix it
    `reduce_retracing` and `jit_compile`.

    When to leave it
    While you must still support a TensorFlow older than 2.9.
    """

    id = "GD105"
    severity = Severity.NOTE
    examples = (
        Example(
            bad="""
                import tensorflow as tf


                @tf.function(experimental_relax_shapes=True)
                def total(x):
                    return tf.reduce_sum(x)


                for length in (1, 2, 3, 4):
                    total(tf.ones([length]))
                """,
            good="""
                import tensorflow as tf


                @tf.function(reduce_retracing=True)
                def total(x):
                    return tf.reduce_sum(x)


                for length in (1, 2, 3, 4):
                    total(tf.ones([length]))
                """,
            traces=(2, 2),
        ),
    )

    def check_source(self, module: Module) -> Iterator[Finding]:
        if "experimental_" not in module.text:
            return
        for placed in module.walk.calls:
            call = placed.node
            if not isinstance(call, ast.Call) or not _makes_graph_function(call, placed.scope):
                continue
            given = {keyword.arg for keyword in call.keywords}
            for keyword in call.keywords:
                new = NEW_NAMES.get(keyword.arg or "")
                if new is not None and new not in given:
                    yield self._renamed(module, keyword, new)
                elif keyword.arg == GONE:
                    yield self._dropped(module, call, keyword)

    def _renamed(self, module: Module, keyword: ast.keyword, new: str) -> Finding:
        span = module.span(keyword)
        line = module.text_line(span)
        edit = module.replace_columns(line, span.column, span.column + len(keyword.arg or ""), new)
        fix = Fix(title=f"Write `{new}`", safety=Safety.SAFE, edits=(edit,))
        return self.finding(span, f"`{keyword.arg}` is called `{new}` today", fix=fix)

    def _dropped(self, module: Module, call: ast.Call, keyword: ast.keyword) -> Finding:
        span = module.span(keyword)
        line = module.text_line(span)
        text = module.lines[line - 1]
        before, after = text[: span.column - 1], text[span.end_column - 1 :]
        first, last = span.column, span.end_column
        if (following := re.match(r"\s*,\s*", after)) is not None:
            last += following.end()
        elif (leading := re.search(r"\s*,\s*$", before)) is not None:
            first -= len(leading[0])
        elif call.args or len(call.keywords) > 1:  # the comma stands on another line
            fix = Fix(title="Leave it out", safety=Safety.MANUAL)
            return self.finding(span, f"`{keyword.arg}` does nothing any more", fix=fix)
        edits = (module.replace_columns(line, first, last, ""),)
        fix = Fix(title="Leave it out", safety=Safety.SAFE, edits=edits)
        return self.finding(span, f"`{keyword.arg}` does nothing any more", fix=fix)


def _makes_graph_function(call: ast.Call, scope: Scope) -> bool:
    called = dotted_name(call.func, scope)
    partial = called == PARTIAL and bool(call.args) and dotted_name(call.args[0], scope) == TF_FUNCTION
    return partial or called == TF_FUNCTION
