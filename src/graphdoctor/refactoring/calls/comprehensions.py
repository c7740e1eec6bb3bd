"""A comprehension over a tensor → `tf.map_fn`, `tf.boolean_mask`, or a loop over its parts."""

import ast

from graphdoctor.model import Edit
from graphdoctor.source.calls import called_name
from graphdoctor.source.def_use import names_read
from graphdoctor.source.names import module_alias
from graphdoctor.source.surroundings import Body

STACKERS = ("tensorflow.stack", "tensorflow.convert_to_tensor")
COMPREHENSIONS = (ast.ListComp, ast.GeneratorExp, ast.SetComp, ast.DictComp)
Clause = tuple[ast.ListComp | ast.GeneratorExp, ast.comprehension, str]


def _clause_of(body: Body, part: ast.AST) -> Clause | None:
    """The comprehension of one clause that a node is a part of, the clause, and its one name."""
    clause = body.parents.get(part)
    whole = body.parents.get(clause) if isinstance(clause, ast.comprehension) else None
    if not isinstance(clause, ast.comprehension) or not isinstance(clause.target, ast.Name):
        return None
    if not isinstance(whole, ast.ListComp | ast.GeneratorExp) or len(whole.generators) != 1:
        return None
    return whole, clause, clause.target.id


def to_map(body: Body, over: ast.AST) -> Edit | None:
    """`tf.map_fn(lambda v: …, x)`, also in place of a `tf.stack` around the comprehension."""
    tensorflow, found = module_alias("tensorflow", body.scope), _clause_of(body, over)
    if tensorflow is None or found is None or found[1].iter is not over or found[1].ifs or found[1].is_async:
        return None
    whole, _, name = found
    source, around = body.home.source_of, body.parents.get(found[0])
    text = f"{tensorflow}.map_fn(lambda {name}: {source(whole.elt)}, {source(over)})"
    stacked = isinstance(around, ast.Call) and around.args == [whole] and not around.keywords
    named = called_name(around, body.scope) in STACKERS
    return body.home.replace(around if stacked and named and around else whole, text)


def chosen(body: Body, part: ast.AST) -> Edit | None:
    """`[v for v in x if …]`, of which a part is given, as `tf.boolean_mask(x, …)`."""
    tensorflow, found = module_alias("tensorflow", body.scope), _clause_of(body, part)
    if tensorflow is None or found is None or not isinstance(found[0], ast.ListComp):
        return None
    (whole, clause, name), source = found, body.home.source_of
    same = isinstance(whole.elt, ast.Name) and whole.elt.id == name
    if len(clause.ifs) != 1 or not same or name not in names_read(clause.ifs[0]):
        return None
    test = f"lambda {name}: {source(clause.ifs[0])}, {source(clause.iter)}"
    mask = f"{tensorflow}.map_fn({test}, fn_output_signature={tensorflow}.bool)"
    return body.home.replace(whole, f"{tensorflow}.boolean_mask({source(clause.iter)}, {mask})")
