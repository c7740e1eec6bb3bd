"""Graph functions inside a Keras model that is trained: in its `call`, in its `train_step`."""

import ast

from tests.variants.syntax import (
    Definition,
    bound,
    called_function,
    definitions,
    fresh,
    is_graph_function,
    loaded,
    module,
    names_in,
    script,
    split,
    statement,
    statements,
    walk_scope,
)
from tests.variants.variants import variant


def _calls(tree: ast.Module, line: ast.stmt) -> list[ast.Call]:
    """The calls of graph functions that a statement of the script makes."""
    calls = [node for node in walk_scope([line]) if isinstance(node, ast.Call)]
    found = [(call, called_function(tree, call)) for call in calls]
    return [call for call, function in found if function is not None and is_graph_function(function)]


def _is_the_same_each_time(call: ast.Call, line: ast.stmt) -> bool:
    """Whether nothing in a call is new at another iteration of its loop, nor for another object."""
    owner = call.func.value if isinstance(call.func, ast.Attribute) else call.func
    given = [*call.args, *(keyword.value for keyword in call.keywords)]
    made_again = any(isinstance(node, ast.Lambda) for one in given for node in ast.walk(one))
    names = {name for one in given for name in loaded([one])} - {"tf", "np"}
    return isinstance(owner, ast.Name) and owner.id not in bound([line]) and not names and not made_again


MODEL = """\
class {owner}(keras.Model):
    def __init__(self):
        super().__init__()
        self.dense = keras.layers.Dense(1)
    def call(self, inputs):
        {call}
        return self.dense(inputs)
{model} = {owner}()
{model}.compile('sgd', 'mse')
{model}.fit(tf.ones([8, 2]), tf.ones([8, 1]), batch_size=4, verbose=0)
"""
TRAIN_STEP = """\
class {owner}(keras.Model):
    def train_step(self, data):
        {call}
        return {{'loss': tf.constant(0.0)}}
{model} = {owner}()
{model}.compile()
{model}.fit(tf.data.Dataset.range(8).batch(4), verbose=0)
"""


def _with_keras(imports: list[ast.stmt]) -> list[ast.stmt]:
    line = statement("import keras")
    return imports if "import keras" in map(ast.unparse, imports) else [line, *imports]


def _in_model(tree: ast.Module, text: str) -> ast.Module | None:
    """The script's only call of a graph function, alone or in a loop, is made by a model in `fit`."""
    imports, rest = split(tree)
    calling = [(line, call) for line in script(tree) for call in _calls(tree, line)]
    if len(calling) != 1 or not _is_the_same_each_time(calling[0][1], calling[0][0]):
        return None
    ((line, call),) = calling
    place = rest.index(line)
    before, after = rest[:place], rest[place + 1 :]
    if bound([line]) & (loaded(after) | loaded(definitions(tree))):
        return None
    made = text.format(owner=fresh(tree, "Net"), model=fresh(tree, "net"), call=ast.unparse(call))
    return module(_with_keras(imports), before, statements(made), after)


def _makes_layers(tree: ast.Module) -> bool:
    """Whether a function makes a layer: `fit` calls a model before it traces, and has it made then."""
    calls = (n for d in definitions(tree) for n in ast.walk(d) if isinstance(n, ast.Call))
    return any("keras." in ast.unparse(call.func) for call in calls)


@variant
def called_in_a_model(tree: ast.Module) -> ast.Module | None:
    """The `call` of a subclassed model calls the graph function, and `fit` trains the model."""
    return None if _makes_layers(tree) else _in_model(tree, MODEL)


@variant
def called_in_train_step(tree: ast.Module) -> ast.Module | None:
    """A `train_step` calls the graph function, and `fit` runs it."""
    return _in_model(tree, TRAIN_STEP)


EAGER_ONLY = {"numpy", "predict", "fit", "evaluate"}


class _Silent(ast.NodeTransformer):
    """`print(f(x).numpy())` becomes `f(x)`: a graph has no numbers to print."""

    def visit_Call(self, node: ast.Call) -> ast.expr:
        self.generic_visit(node)
        if isinstance(node.func, ast.Attribute) and node.func.attr == "numpy":
            return node.func.value
        if isinstance(node.func, ast.Name) and node.func.id == "print" and len(node.args) == 1:
            return node.args[0]
        return node


@variant
def tape_in_train_step(tree: ast.Module) -> ast.Module | None:
    """A tape of the script, and what follows it, is a `train_step`; what stands before it is made outside."""
    imports, rest = split(tree)
    place = next(
        (
            n
            for n, node in enumerate(rest)
            if isinstance(node, ast.With) and "GradientTape" in ast.unparse(node.items[0])
        ),
        None,
    )
    if place is None:
        return None
    before, body = rest[:place], [_Silent().visit(node) for node in rest[place:]]
    if bound(before) & bound(body) or any(isinstance(node, Definition) for node in body):
        return None
    others = bound(line for line in imports if "tensorflow" not in ast.unparse(line))
    if loaded(body) & others or names_in(module(before, body)) & EAGER_ONLY:
        return None  # a graph has no numbers for NumPy
    owner, model = fresh(tree, "Net"), fresh(tree, "net")
    lines = statements(TRAIN_STEP.format(owner=owner, model=model, call="pass"))
    step = lines[0].body[0]  # type: ignore[attr-defined]
    step.body[:1] = body
    return module(_with_keras(imports), before, lines)
