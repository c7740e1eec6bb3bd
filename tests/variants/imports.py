"""TensorFlow under other names."""

import ast

from tests.variants.syntax import (
    after_imports,
    expression,
    fresh,
    replace_names,
    split,
    statement,
    statements,
)
from tests.variants.variants import variant

IMPORT = "import tensorflow as tf"


def _imported_otherwise(tree: ast.Module, lines: str, name: str = "tf") -> ast.Module | None:
    """The program with other lines in the place of `import tensorflow as tf`, which it then calls `name`."""
    place = next((n for n, node in enumerate(tree.body) if ast.unparse(node) == IMPORT), None)
    if place is None:
        return None
    tree.body[place : place + 1] = statements(lines)
    if name != "tf":
        replace_names(tree, {"tf": expression(name)})
    return tree


@variant
def whole_name(tree: ast.Module) -> ast.Module | None:
    """`import tensorflow`, and `tensorflow.function`."""
    return _imported_otherwise(tree, "import tensorflow", "tensorflow")


@variant
def other_alias(tree: ast.Module) -> ast.Module | None:
    """`import tensorflow as flow`."""
    return _imported_otherwise(tree, "import tensorflow as flow", "flow")


@variant
def compat_v2(tree: ast.Module) -> ast.Module | None:
    """`import tensorflow.compat.v2 as tf`."""
    return _imported_otherwise(tree, "import tensorflow.compat.v2 as tf")


@variant
def from_compat(tree: ast.Module) -> ast.Module | None:
    """`from tensorflow.compat import v2 as tf`."""
    return _imported_otherwise(tree, "from tensorflow.compat import v2 as tf")


@variant
def guarded_import(tree: ast.Module) -> ast.Module | None:
    """The import stands in a `try`, with another one in its `except ImportError`."""
    lines = "try:\n    import tensorflow.compat.v2 as tf\nexcept ImportError:\n    import tensorflow as tf"
    return _imported_otherwise(tree, lines)


@variant
def names_imported(tree: ast.Module) -> ast.Module | None:
    """`from tensorflow import function as tf_function`: each thing by a name of its own."""
    uses = [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "tf"
    ]
    names = sorted({use.attr for use in uses})
    if not names or IMPORT not in map(ast.unparse, tree.body):
        return None
    known = {name: fresh(tree, f"tf_{name}") for name in names}

    class Shorten(ast.NodeTransformer):
        def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
            self.generic_visit(node)
            if isinstance(node.value, ast.Name) and node.value.id == "tf":
                return ast.copy_location(ast.Name(known[node.attr], node.ctx), node)
            return node

    line = ", ".join(f"{name} as {alias}" for name, alias in known.items())
    return _imported_otherwise(Shorten().visit(tree), f"from tensorflow import {line}")


@variant
def function_renamed(tree: ast.Module) -> ast.Module | None:
    """`graph = tf.function`, and `@graph`."""
    name = fresh(tree, "graph")
    count = 0

    class Shorten(ast.NodeTransformer):
        def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
            nonlocal count
            self.generic_visit(node)
            if ast.unparse(node) == "tf.function":
                count += 1
                return ast.copy_location(ast.Name(name, node.ctx), node)
            return node

    tree = Shorten().visit(tree)
    return after_imports(tree, statements(f"{name} = tf.function")) if count else None


@variant
def keras_from_tensorflow(tree: ast.Module) -> ast.Module | None:
    """`from tensorflow import keras` in the place of `import keras`."""
    imports, rest = split(tree)
    new = [
        statement("from tensorflow import keras") if ast.unparse(line) == "import keras" else line
        for line in imports
    ]
    if new == imports:
        return None
    tree.body = new + rest
    return tree


@variant
def import_inside(tree: ast.Module) -> ast.Module | None:
    """A function imports TensorFlow and gives it back."""
    name = fresh(tree, "backend")
    lines = f"def {name}():\n    import tensorflow\n    return tensorflow\n\ntf = {name}()"
    return _imported_otherwise(tree, lines)
