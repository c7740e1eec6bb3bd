"""GD209."""

import ast
from collections.abc import Iterator

from graphdoctor.model import Finding, Fix, Safety, Severity
from graphdoctor.rules.rule import Example, Rule
from graphdoctor.source import Module
from graphdoctor.source.bodies import Body
from graphdoctor.source.names import module_alias
from graphdoctor.source.once import runs_once

CLOCKS = {
    "time.time", "time.perf_counter", "time.monotonic", "time.process_time", "datetime.datetime.now",
    "datetime.datetime.utcnow", "datetime.date.today", "uuid.uuid4", "uuid.uuid1",
}  # fmt: skip


class ClockInGraph(Rule):
    """The time that Python reads while tracing is a constant of the graph.

    What it finds
    `time.time()`, `time.perf_counter()`, `datetime.now()` or `uuid.uuid4()` in a traced function.

    Why it matters
    The clock is read once, while tracing. Each call uses that moment; a difference of two readings
    measures how long tracing took.

    How to fix it
    `tf.timestamp()` reads the clock at each call; or measure outside the function. The fix is not
    called safe: the result is a float64 tensor.

    When to leave it
    When you measure the tracing itself. What only makes a name (`name=…`, `op_name = …`) is left alone.
    """

    id = "GD209"
    severity = Severity.WRONG
    examples = (
        Example(
            bad="""
                import time

                import tensorflow as tf


                @tf.function
                def now():
                    return tf.constant(0.0, tf.float64) + time.time()


                print(now().numpy() == now().numpy())
                """,
            good="""
                import time

                import tensorflow as tf


                @tf.function
                def now():
                    return tf.constant(0.0, tf.float64) + tf.timestamp()


                print(now().numpy() == now().numpy())
                """,
            output=("True", "False"),
        ),
    )

    def check_source(self, module: Module) -> Iterator[Finding]:
        for body in module.bodies:
            for call in body.of(ast.Call):
                name = body.dotted(call.func)
                if name in CLOCKS and not _makes_name(body, call) and not runs_once(body, call):
                    yield self.finding_in(
                        body,
                        call,
                        f"`{body.home.source_of(call)}` is read once, while `{body.name}` is traced",
                        fix=_fix(body, call, name or ""),
                    )


def _makes_name(body: Body, call: ast.Call) -> bool:
    """Whether the reading only goes into the name of something that each trace makes once."""
    for outer in body.ancestors(call):
        if isinstance(outer, ast.keyword) and outer.arg is not None and "name" in outer.arg:
            return True
        if isinstance(outer, ast.Assign):
            return all(isinstance(t, ast.Name) and "name" in t.id.lower() for t in outer.targets)
        if isinstance(outer, ast.stmt):
            return False
    return False


def _fix(body: Body, call: ast.Call, name: str) -> Fix:
    tensorflow = module_alias("tensorflow", body.scope_of(call))
    if tensorflow is None or name not in ("time.time", "time.perf_counter", "time.monotonic"):
        return Fix(title="Read it outside the function", safety=Safety.MANUAL)
    return Fix(
        title="Use `tf.timestamp`",
        safety=Safety.UNSAFE,
        edits=(body.home.replace(call, f"{tensorflow}.timestamp()"),),
    )
