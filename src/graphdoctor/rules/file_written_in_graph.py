"""GD206."""

import ast
from collections.abc import Iterator

from graphdoctor.model import Finding, Severity
from graphdoctor.rules.facts import Facts
from graphdoctor.rules.rule import Example, Rule
from graphdoctor.rules.side_effects import confirmed
from graphdoctor.source import Module
from graphdoctor.source.once import runs_once

WRITERS = {
    "json.dump", "pickle.dump", "yaml.dump", "numpy.save", "numpy.savez", "numpy.savetxt", "os.remove",
    "os.rename", "os.makedirs", "os.mkdir", "os.system", "shutil.copy", "shutil.move", "requests.post",
    "requests.put", "subprocess.run", "subprocess.call", "subprocess.Popen", "joblib.dump",
}  # fmt: skip


class FileWrittenInGraph(Rule):
    """Writing a file from a traced function happens while tracing, and never again.

    What it finds
    `open(…, "w")`, `json.dump`, `pickle.dump`, `np.save`, `os.remove`, `requests.post` and other
    Python that changes something outside the program, in a function that TensorFlow traces.

    Why it matters
    Python statements run while the function is traced. The file is written at the first call, with
    what was known then, and not at the later ones.

    How to fix it
    Write outside the function, from what it returns; or use `tf.io.write_file` or `tf.summary`, which
    are operations of the graph; or wrap the Python in `tf.py_function`.

    When to leave it
    When it should happen once per trace.
    """

    id = "GD206"
    severity = Severity.WRONG
    examples = (
        Example(
            bad="""
                import tensorflow as tf


                @tf.function
                def step(x):
                    with open("steps.txt", "a") as log:
                        log.write("step\\n")
                    return x * 2.0


                for _ in range(3):
                    step(tf.ones([2]))
                print(len(open("steps.txt").readlines()))
                """,
            good="""
                import tensorflow as tf


                @tf.function
                def step(x):
                    return x * 2.0


                for _ in range(3):
                    step(tf.ones([2]))
                    with open("steps.txt", "a") as log:
                        log.write("step\\n")
                print(len(open("steps.txt").readlines()))
                """,
            output=("1", "3"),
        ),
    )

    def check_source(self, module: Module) -> Iterator[Finding]:
        for body in module.bodies:
            for call in body.of(ast.Call):
                name = body.dotted(call.func)
                writes = name in WRITERS or (name == "builtins.open" and _writes(call))
                if writes and not runs_once(body, call):
                    yield self.finding_in(
                        body,
                        call,
                        f"`{body.home.source_of(call.func)}` runs only while `{body.name}` is traced, "
                        "not at each call",
                    )

    def judge(self, facts: Facts) -> Iterator[Finding]:
        yield from confirmed(self, facts, "the write")


def _writes(call: ast.Call) -> bool:
    given = [*call.args[1:2], *(keyword.value for keyword in call.keywords if keyword.arg == "mode")]
    return any(isinstance(mode, ast.Constant) and set(str(mode.value)) & set("wax+") for mode in given)
