"""Steps without a gradient → the same values, with the gradient of a smooth stand-in."""

import ast

from graphdoctor.model import Edit
from graphdoctor.rewriting.brackets import operand, within
from graphdoctor.source.module import Module
from graphdoctor.source.names import dotted_name, module_alias

# Steps of one tensor: what they give goes forward, the gradient goes past them.
STEPS = ("round", "floor", "math.ceil", "math.round", "math.floor", "math.rint")
RISING, FALLING = (ast.Gt, ast.GtE), (ast.Lt, ast.LtE)
STEEP = "10.0"
CHEAP = (ast.Name, ast.Attribute, ast.Subscript, ast.Constant, ast.BinOp, ast.UnaryOp)


def stand_in(module: Module, node: ast.AST | None) -> Edit | None:
    """The edit that lets a gradient through a rounding, or through a comparison that is cast to floats."""
    tensorflow = module_alias("tensorflow", module.scope_at(node)) if node is not None else None
    if tensorflow is None:
        return None
    if isinstance(node, ast.Call) and len(node.args) == 1 and not node.keywords:
        called = (dotted_name(node.func, module.scope_at(node)) or "").removeprefix("tensorflow.")
        if called not in STEPS or not _is_cheap(node.args[0]) or node.lineno != node.end_lineno:
            return None
        return _passed(module, node, module.source_of(node.args[0]), tensorflow)
    if not isinstance(node, ast.Compare) or len(node.ops) != 1:
        return None
    around = next(
        (
            placed.node
            for placed in module.walk.calls
            if isinstance(placed.node, ast.Call) and node in placed.node.args
        ),
        None,
    )
    if not isinstance(around, ast.Call) or not isinstance(node.ops[0], (*RISING, *FALLING)):
        return None
    if dotted_name(around.func, module.scope_at(node)) != "tensorflow.cast":
        return None
    left, right = module.source_of(node.left), module.source_of(node.comparators[0])
    if isinstance(node.ops[0], FALLING):
        left, right = right, left
    right = right if isinstance(node.comparators[0], ast.Constant | ast.Name) else f"({right})"
    smooth = f"{tensorflow}.sigmoid({STEEP} * ({left} - {right}))"
    return _passed(module, around, smooth, tensorflow)


def _is_cheap(given: ast.expr) -> bool:
    """Whether it may be written three times: arithmetic on names and numbers, the same each time."""
    parts = list(ast.walk(given))
    named = any(isinstance(part, ast.Name) for part in parts)
    return named and not any(isinstance(part, ast.expr) and not isinstance(part, CHEAP) for part in parts)


def _passed(module: Module, node: ast.expr, smooth: str, tensorflow: str) -> Edit:
    """What is smooth, and what lacks to the values of the node, without a gradient."""
    lacking = f"{module.source_of(node)} - {operand(smooth)}"
    text = f"{smooth} + {tensorflow}.stop_gradient({lacking})"
    around = next((each for each in ast.walk(module.tree) if node in ast.iter_child_nodes(each)), None)
    return module.replace(node, within(text, around))
