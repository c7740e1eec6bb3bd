"""GD002."""

from collections.abc import Iterator

from graphdoctor.model import Finding, Safety, Severity
from graphdoctor.refactoring.deletions.comments import without_comment
from graphdoctor.rules.offering import offer
from graphdoctor.rules.rule import Example, Rule
from graphdoctor.source import Module


class UnusedNoqa(Rule):
    """A `# noqa: GD…` comment that silences nothing.

    What it finds
    A comment that names a rule of graphdoctor which finds nothing on its line. Comments for other
    tools, and a bare `# noqa`, are left alone.

    Why it matters
    It would silence the next mistake on that line.

    How to fix it
    Remove it. There is an automatic fix when the comment names nothing else.

    When to leave it
    When the finding depends on which files are checked.
    """

    id = "GD002"
    severity = Severity.NOTE
    examples = (
        Example(
            bad="""
                import tensorflow as tf


                @tf.function
                def double(x):
                    return x * 2.0  # noqa: GD201


                double(tf.ones([2]))
                """,
            good="""
                import tensorflow as tf


                @tf.function
                def double(x):
                    return x * 2.0


                double(tf.ones([2]))
                """,
            traces=(1, 1),
        ),
    )

    def check_comments(
        self, module: Module, used: set[tuple[str, int, str]], known: set[str]
    ) -> Iterator[Finding]:
        """The comments of a module that none of the findings needed; `used` are those that one did."""
        for line, start, end, codes in module.noqa_comments:
            unused = [code for code in codes if code in known and (module.path, line, code) not in used]
            if unused:
                span = module.place(line, start + 1, line, end + 1)
                yield self.finding(
                    span,
                    f"no finding of {' or '.join(unused)} on this line",
                    fix=offer("Remove the comment", without_comment(module, span), Safety.SAFE)
                    if len(unused) == len(codes)
                    else None,
                )
