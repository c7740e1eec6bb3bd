"""GD105."""

import ast
import re
from collections.abc import Iterator

from graphdoctor.model import Finding, Fix, Safety, Severity
from graphdoctor.recording.format import Made, Place
from graphdoctor.recording.places import span_of
from graphdoctor.rules.facts import Facts
from graphdoctor.rules.rule import Example, Rule
from graphdoctor.source import Module

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

    def judge(self, facts: Facts) -> Iterator[Finding]:
        told: set[Place] = set()
        for made in facts.of(Made):
            given = {option.path for option in made.arguments}
            for option in made.arguments:
                new = NEW_NAMES.get(option.path)
                place = option.place or made.place
                old = (new is not None and new not in given) or option.path == GONE
                if place is None or place in told or not old:
                    continue
                told.add(place)
                yield self._told(option.path, new, place, facts)

    def _told(self, name: str, new: str | None, place: Place, facts: Facts) -> Finding:
        """What an option is called today, with the edit where it stands in the call itself."""
        message = f"`{name}` is called `{new}` today" if new else f"`{name}` does nothing any more"
        found = _keyword(place, name, facts)
        if found is None:
            order = f"Write `{new}`" if new else "Leave it out"
            return self.finding(span_of(place), message, fix=Fix(title=order, safety=Safety.MANUAL))
        module, call, keyword = found
        return self._renamed(module, keyword, new) if new else self._dropped(module, call, keyword)

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


def _keyword(place: Place, name: str, facts: Facts) -> tuple[Module, ast.Call, ast.keyword] | None:
    """The keyword whose value stands there, and the call that has it."""
    found = facts.sources.node(span_of(place))
    if found is None:
        return None
    module, value = found
    for placed in module.walk.calls:
        for keyword in placed.node.keywords if isinstance(placed.node, ast.Call) else ():
            if keyword.value is value and keyword.arg == name and isinstance(placed.node, ast.Call):
                return module, placed.node, keyword
    return None
