"""A comprehension over a tensor → `tf.map_fn`, or a loop over its parts."""

import ast

from graphdoctor.model import Edit
from graphdoctor.refactoring.syntax.bodies import Body
from graphdoctor.source.names import dotted_name, module_alias

STACKERS = ("tensorflow.stack", "tensorflow.convert_to_tensor")
COMPREHENSIONS = (ast.ListComp, ast.GeneratorExp, ast.SetComp, ast.DictComp)


def over_parts(body: Body, over: ast.AST) -> Edit | None:
    """`… for v in tf.unstack(x)`: for a tensor whose first size is known."""
    tensorflow = module_alias("tensorflow", body.scope)
    if tensorflow is None or not isinstance(over, ast.expr):
        return None
    return body.home.replace(over, f"{tensorflow}.unstack({body.home.source_of(over)})")


def to_map(body: Body, over: ast.AST) -> Edit | None:
    """`tf.map_fn(lambda v: …, x)`, also in place of a `tf.stack` around the comprehension."""
    tensorflow = module_alias("tensorflow", body.scope)
    clause = body.parents.get(over)
    whole = body.parents.get(clause) if isinstance(clause, ast.comprehension) else None
    if tensorflow is None or not isinstance(clause, ast.comprehension) or clause.ifs or clause.is_async:
        return None
    if not isinstance(whole, ast.ListComp | ast.GeneratorExp) or len(whole.generators) != 1:
        return None
    if clause.iter is not over or not isinstance(clause.target, ast.Name):
        return None
    source = body.home.source_of
    text = f"{tensorflow}.map_fn(lambda {clause.target.id}: {source(whole.elt)}, {source(over)})"
    around = body.parents.get(whole)
    stacked = isinstance(around, ast.Call) and around.args == [whole] and not around.keywords
    named = dotted_name(around.func, body.scope) if isinstance(around, ast.Call) else None
    return body.home.replace(around if stacked and named in STACKERS and around else whole, text)


def chosen(body: Body, part: ast.AST) -> Edit | None:
    """`[v for v in x if …]`, of which a part is given, as `tf.boolean_mask(x, …)`."""
    tensorflow = module_alias("tensorflow", body.scope)
    clause = body.parents.get(part)
    whole = body.parents.get(clause) if isinstance(clause, ast.comprehension) else None
    if tensorflow is None or not isinstance(clause, ast.comprehension) or len(clause.ifs) != 1:
        return None
    if not isinstance(whole, ast.ListComp) or len(whole.generators) != 1:
        return None
    name, elt, condition, source = clause.target, whole.elt, clause.ifs[0], body.home.source_of
    if not isinstance(name, ast.Name) or not isinstance(elt, ast.Name) or elt.id != name.id:
        return None
    if not any(isinstance(each, ast.Name) and each.id == name.id for each in ast.walk(condition)):
        return None
    test = f"lambda {name.id}: {source(condition)}, {source(clause.iter)}"
    mask = f"{tensorflow}.map_fn({test}, fn_output_signature={tensorflow}.bool)"
    return body.home.replace(whole, f"{tensorflow}.boolean_mask({source(clause.iter)}, {mask})")
