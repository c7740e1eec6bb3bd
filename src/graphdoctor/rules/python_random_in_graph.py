"""GD208."""

import ast
from collections.abc import Iterator

from graphdoctor.model import Finding, Fix, Safety, Severity
from graphdoctor.rules.rule import Example, Rule
from graphdoctor.source import Module
from graphdoctor.source.bodies import Body
from graphdoctor.source.names import module_alias
from graphdoctor.source.once import runs_once

PYTHON = {
    "random", "randint", "uniform", "choice", "choices", "sample", "shuffle", "gauss", "normalvariate",
    "randrange", "betavariate", "triangular", "getrandbits",
}  # fmt: skip
NUMPY = {
    "rand", "randn", "randint", "random", "uniform", "normal", "choice", "permutation", "shuffle",
    "standard_normal", "random_sample", "binomial", "beta", "poisson", "exponential", "random_integers",
    "gamma", "dirichlet", "multivariate_normal",
}  # fmt: skip
DRAWS = {f"random.{name}" for name in PYTHON} | {f"numpy.random.{name}" for name in NUMPY}
SIMPLE = {"random.random", "numpy.random.rand", "numpy.random.random"}


class PythonRandomInGraph(Rule):
    """A random number that Python or NumPy draws while tracing is a constant of the graph.

    What it finds
    `random.random()`, `np.random.rand()` and the like in a function that TensorFlow traces: in a
    `tf.function`, in `Dataset.map`, in `Layer.call`.

    Why it matters
    The number is drawn once, while tracing. Every call, every batch and every epoch then uses the
    same one: an augmentation that does not augment, a dropout that always drops the same.

    How to fix it
    Draw with an operation: `tf.random.uniform([])`, `tf.random.normal(…)`, or `tf.random.Generator`.
    The fix is not called safe, because the numbers differ and are float32.

    When to leave it
    When one value per trace is meant, as for a fixed random projection.
    """

    id = "GD208"
    severity = Severity.WRONG
    examples = (
        Example(
            bad="""
                import random

                import tensorflow as tf


                @tf.function
                def jitter(x):
                    return x + random.random()


                print(jitter(tf.constant(0.0)).numpy() == jitter(tf.constant(0.0)).numpy())
                """,
            good="""
                import random

                import tensorflow as tf


                @tf.function
                def jitter(x):
                    return x + tf.random.uniform([])


                print(jitter(tf.constant(0.0)).numpy() == jitter(tf.constant(0.0)).numpy())
                """,
            output=("True", "False"),
        ),
    )

    def check_source(self, module: Module) -> Iterator[Finding]:
        for body in module.bodies:
            for call in body.of(ast.Call):
                name = body.dotted(call.func)
                if name in DRAWS and not runs_once(body, call):
                    yield self.finding_in(
                        body,
                        call,
                        f"`{body.home.source_of(call.func)}` draws once, while `{body.name}` is traced; "
                        "each call uses the same value",
                        fix=_fix(body, call, name or ""),
                    )


def _fix(body: Body, call: ast.Call, name: str) -> Fix:
    tensorflow = module_alias("tensorflow", body.scope_of(call))
    if tensorflow is None or name not in SIMPLE or call.args or call.keywords:
        return Fix(title="Draw with `tf.random`", safety=Safety.MANUAL)
    return Fix(
        title="Draw with `tf.random.uniform`",
        safety=Safety.UNSAFE,
        edits=(body.home.replace(call, f"{tensorflow}.random.uniform([])"),),
    )
