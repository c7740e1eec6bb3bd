"""Sources of a tape: floating point, the right variables, and their gradients in the right order."""

import ast
from collections.abc import Iterator

from graphdoctor.model import Edit
from graphdoctor.refactoring.tapes.blocks import Question, Tape
from graphdoctor.source.calls import argument_texts, called_name
from graphdoctor.source.def_use import Kind, place_of
from graphdoctor.source.module import Module
from graphdoctor.source.names import dotted_name, module_alias
from graphdoctor.source.resolving import def_use, only_value

MAKERS = ("tensorflow.Variable", "tensorflow.constant", "tensorflow.convert_to_tensor")
VARIABLES = ("trainable_variables", "trainable_weights", "variables", "weights")


def as_float(module: Module, tape: Tape, source: ast.expr | None) -> tuple[Edit, ...] | None:
    """The edits that make a source floating point: where it is made, or before the tape is opened."""
    tensorflow = module_alias("tensorflow", tape.scope)
    if not isinstance(source, ast.Name) or tensorflow is None:
        return None
    made = tape.bindings(source.id)
    value = made[0].value if len(made) == 1 and isinstance(made[0], ast.Assign) else None
    edits = made_of_floats(module, value) if value is not None else None
    if edits is not None:
        return edits
    last = max(made, key=lambda node: getattr(node, "lineno", 0), default=None)
    plain = isinstance(last, ast.Assign) and len(last.targets) == 1 and isinstance(last.targets[0], ast.Name)
    if isinstance(last, ast.Assign) and plain and last.lineno < tape.node.lineno:
        text = f"{tensorflow}.cast({module.source_of(last.value)}, {tensorflow}.float32)"
        return (module.replace(last.value, text),)
    indent = module.lines[tape.node.lineno - 1][: tape.node.col_offset]
    if indent.strip() or any(tape.holds(node) for node in made):
        return None
    text = f"{indent}{source.id} = {tensorflow}.cast({source.id}, {tensorflow}.float32)\n"
    return (module.insert(tape.node.lineno, 1, text),)


def made_of_floats(module: Module, value: ast.AST) -> tuple[Edit, ...] | None:
    """The edits that make a Variable or constant floating point where it is made."""
    scope = module.scope_at(value)
    tensorflow = module_alias("tensorflow", scope)
    if not isinstance(value, ast.Call) or tensorflow is None or dotted_name(value.func, scope) not in MAKERS:
        return None
    literals = _integers(value)
    if literals:
        return tuple(module.replace(literal, f"{literal.value!r}.0") for literal in literals)
    dtype = next((keyword.value for keyword in value.keywords if keyword.arg == "dtype"), None)
    if dtype is None and len(value.args) > 1 and called_name(value, scope) != "tensorflow.Variable":
        dtype = value.args[1]
    if dtype is not None:
        return (module.replace(dtype, f"{tensorflow}.float32"),)
    if dotted_name(value.func, scope) == "tensorflow.Variable" and len(value.args) == 1:
        inner = module.source_of(value.args[0])
        return (module.replace(value.args[0], f"{tensorflow}.cast({inner}, {tensorflow}.float32)"),)
    return None


def _integers(value: ast.Call) -> list[ast.Constant]:
    """The whole numbers that a Variable or constant is made of, where nothing else goes into it."""
    if len(value.args) != 1 or any(keyword.arg == "dtype" for keyword in value.keywords):
        return []
    leaves = [
        node for node in ast.walk(value.args[0]) if not isinstance(node, ast.List | ast.Tuple | ast.Load)
    ]
    literals = [node for node in leaves if isinstance(node, ast.Constant) and type(node.value) is int]
    return literals if literals and len(literals) == len(leaves) else []


def asked_late(module: Module, question: Question) -> tuple[Edit, ...] | None:
    """The edits that ask the model for its variables where they are needed, in place of a name for them."""
    sources = question.sources
    if not isinstance(sources, ast.Name | ast.Attribute):
        return None
    name = place_of(sources)
    assigns = (each for each in ast.walk(module.tree) if isinstance(each, ast.Assign))
    made = [each for each in assigns if name in map(place_of, each.targets)]
    value = made[0].value if len(made) == 1 else None
    if not isinstance(value, ast.Attribute) or value.attr not in VARIABLES:
        return None
    uses = [one.node for one in def_use(module, question.scope.node).of(name, Kind.READ)]
    later = [part for part in uses if getattr(part, "lineno", 0) > made[0].lineno]
    return tuple(module.replace(part, ast.unparse(value)) for part in later) or None


TRAINED = {"variables": "trainable_variables", "weights": "trainable_weights"}


def trained_only(module: Module, question: Question) -> tuple[str, tuple[Edit, ...]] | None:
    """The name of those that are trained, and the edits that ask for these; None for other sources."""
    sources = question.sources
    named = _given_a_name(question) if isinstance(sources, ast.Name) else None
    if named is not None:
        trained = TRAINED[named.attr]
        return trained, (module.replace(named, f"{module.source_of(named.value)}.{trained}"),)
    if not isinstance(sources, ast.Attribute) or sources.attr not in TRAINED:
        return None
    return TRAINED[sources.attr], tuple(_renamed(module, question, sources))


def _given_a_name(question: Question) -> ast.Attribute | None:
    """`model.variables`, where the function itself gives it the name that the question is asked with."""
    assert isinstance(question.sources, ast.Name)
    value = only_value(question.sources, question.scope)
    own = question.sources.id in question.scope.bindings
    return value if own and isinstance(value, ast.Attribute) and value.attr in TRAINED else None


def _renamed(module: Module, question: Question, sources: ast.Attribute) -> Iterator[Edit]:
    """The name here, and wherever the same function gives the same variables to an optimizer."""
    owner = module.source_of(sources.value)
    yield module.replace(sources, f"{owner}.{TRAINED[sources.attr]}")
    for node in ast.walk(question.scope.node):
        if not isinstance(node, ast.Call) or not _applies(node, question.node):
            continue
        for given in node.args:
            if not isinstance(given, ast.Attribute) or given is sources or given.attr != sources.attr:
                continue
            if module.source_of(given.value) == owner:
                yield module.replace(given, f"{owner}.{TRAINED[sources.attr]}")


def _applies(call: ast.Call, question: ast.Call) -> bool:
    name = getattr(call.func, "attr", getattr(call.func, "id", None))
    return call is question or name in ("zip", "apply", "apply_gradients", "build")


def swapped(module: Module, call: ast.Call) -> tuple[Edit, ...] | None:
    """The edits that swap what `zip` pairs; None where it is no plain `zip` of two."""
    if module.source_of(call.func) != "zip" or len(call.args) != 2:
        return None
    first, second = argument_texts(module, call)
    return module.replace(call.args[0], second), module.replace(call.args[1], first)
