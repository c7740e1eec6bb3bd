"""A random number that Python or NumPy draws → the operation that draws from the same distribution."""

import ast

from graphdoctor.model import Edit
from graphdoctor.refactoring.calls.random_distributions import chosen, from_gammas, permuted, sampled
from graphdoctor.refactoring.syntax.dtypes import FLOATS, dtype_name
from graphdoctor.refactoring.syntax.expressions import within
from graphdoctor.refactoring.syntax.imports import tensorflow_at
from graphdoctor.source.module import Module
from graphdoctor.source.names import dotted_name
from graphdoctor.source.scopes import Scope
from graphdoctor.source.shown import is_for_people

# The parameters of each function, in their order.
PARAMETERS = {
    "random.random": (),
    "random.uniform": ("low", "high"),
    "random.gauss": ("mean", "stddev"),
    "random.normalvariate": ("mean", "stddev"),
    "random.randint": ("low", "last"),
    "random.randrange": ("low", "high"),
    "random.choice": ("items",),
    "random.sample": ("items", "k"),
    "random.betavariate": ("a", "b"),
    "random.expovariate": ("rate",),
    "random.gammavariate": ("a", "scale"),
    "random.lognormvariate": ("mean", "stddev"),
    "numpy.random.rand": ("*shape",),
    "numpy.random.randn": ("*shape",),
    "numpy.random.random": ("size",),
    "numpy.random.random_sample": ("size",),
    "numpy.random.standard_normal": ("size",),
    "numpy.random.normal": ("loc", "scale", "size"),
    "numpy.random.uniform": ("low", "high", "size"),
    "numpy.random.randint": ("low", "high", "size"),
    "numpy.random.integers": ("low", "high", "size"),
    "numpy.random.binomial": ("n", "p", "size"),
    "numpy.random.choice": ("items", "size", "replace", "p"),
    "numpy.random.permutation": ("items",),
    "numpy.random.exponential": ("scale", "size"),
    "numpy.random.poisson": ("lam", "size"),
    "numpy.random.beta": ("a", "b", "size"),
    "numpy.random.standard_exponential": ("size",),
    "numpy.random.gamma": ("shape", "scale", "size"),
    "numpy.random.standard_gamma": ("shape", "size"),
    "numpy.random.chisquare": ("df", "size"),
    "numpy.random.laplace": ("loc", "scale", "size"),
    "numpy.random.gumbel": ("loc", "scale", "size"),
    "numpy.random.lognormal": ("mean", "sigma", "size"),
}
NORMAL = {
    "random.gauss",
    "random.normalvariate",
    "numpy.random.normal",
    "numpy.random.randn",
    "numpy.random.standard_normal",
}
WHOLE = {"random.randint", "random.randrange", "numpy.random.randint", "numpy.random.integers"}
CONVERTING = {"tensorflow.constant", "tensorflow.convert_to_tensor"}


def drawn(module: Module, call: ast.AST, name: str, whole: str = "int32") -> tuple[Edit, ...] | None:
    """The edits that draw with TensorFlow; `whole` is the dtype of whole numbers. None: no such operation."""
    scope = module.scope_at(call)
    found = tensorflow_at(module, scope)
    name = _canonical(name)
    if name.endswith(".shuffle"):
        return _shuffled(module, call, scope, found)
    if not isinstance(call, ast.Call) or found is None or name not in PARAMETERS:
        return None
    given = _bound(module, call, PARAMETERS[name])
    if given is None:
        return None
    tensorflow, imports = found
    parents = {child: each for each in ast.walk(module.tree) for child in ast.iter_child_nodes(each)}
    outer, dtype = _converted(call, scope, parents)
    shape = _shape(module, call, given, scope, tensorflow)
    text = _operation(name, given, shape, tensorflow, whole, dtype)
    if text is None:
        return None
    return (module.replace(outer, within(text, parents.get(outer))), *imports)


def _shuffled(
    module: Module, call: ast.AST, scope: Scope, found: tuple[str, tuple[Edit, ...]] | None
) -> tuple[Edit, ...] | None:
    """`order = tf.random.shuffle(order)`, of numbers in a row that only TensorFlow is given afterwards."""
    given = call.args[0] if isinstance(call, ast.Call) and len(call.args) == 1 and not call.keywords else None
    if found is None or not isinstance(given, ast.Name) or not isinstance(call, ast.Call):
        return None
    inside = list(ast.walk(scope.node))
    alone = any(isinstance(each, ast.Expr) and each.value is call for each in inside)
    made = [each for each in inside if isinstance(each, ast.Assign) and _name_given(each) == given.id]
    names = [each for each in inside if isinstance(each, ast.Name) and each.id == given.id]
    tensors = {
        part
        for each in inside
        if isinstance(each, ast.Call) and (dotted_name(each.func, scope) or "").startswith("tensorflow.")
        for part in each.args
    }
    others = [each for each in names if isinstance(each.ctx, ast.Load) and each is not given]
    if not alone or len(names) != len(others) + 2 or len(made) != 1 or not tensors.issuperset(others):
        return None
    if not _is_a_row(made[0].value, scope):
        return None
    tensorflow, imports = found
    return (module.replace(call, f"{given.id} = {tensorflow}.random.shuffle({given.id})"), *imports)


def _is_a_row(made: ast.expr, scope: Scope) -> bool:
    """`np.arange(…)`, and the list of a range."""
    inner = made.args[0] if isinstance(made, ast.Call) and len(made.args) == 1 else None
    names = [dotted_name(each.func, scope) for each in (made, inner) if isinstance(each, ast.Call)]
    return names[:1] == ["numpy.arange"] or names == ["builtins.list", "builtins.range"]


def _canonical(name: str) -> str:
    """A generator's methods are called as NumPy's functions are: `numpy.random.Generator.normal`."""
    package, _, last = name.rpartition(".")
    return f"{'random' if package.partition('.')[0] == 'random' else 'numpy.random'}.{last}"


def _bound(module: Module, call: ast.Call, names: tuple[str, ...]) -> dict[str, str] | None:
    """The text of each argument by its name; None where an option is given that TensorFlow has not."""
    if any(isinstance(each, ast.Starred) for each in call.args):
        return None
    texts = [module.source_of(each) for each in call.args]
    if names == ("*shape",):
        return {"*shape": f"[{', '.join(texts)}]"} if not call.keywords else None
    if len(texts) > len(names):
        return None
    found = dict(zip(names, texts, strict=False))
    for keyword in call.keywords:
        if keyword.arg not in names:
            return None
        found[keyword.arg] = module.source_of(keyword.value)
    return found


def _shape(module: Module, call: ast.Call, given: dict[str, str], scope: Scope, tensorflow: str) -> str:
    if "*shape" in given:
        return given["*shape"]
    size = given.get("size")
    if size is None or size == "None":
        return "[]"
    node = ast.parse(size, mode="eval").body
    if isinstance(node, ast.Tuple | ast.List):
        return f"[{size[1:-1].strip().rstrip(',')}]" if size[:1] in "([" else f"[{size}]"
    if isinstance(node, ast.Constant):
        return f"[{size}]"
    if isinstance(node, ast.Attribute) and node.attr == "shape":
        return f"{tensorflow}.shape({ast.unparse(node.value)})"
    return f"{tensorflow}.reshape({size}, [-1])"


def _operation(
    name: str, given: dict[str, str], shape: str, tensorflow: str, whole: str, dtype: str | None
) -> str | None:
    random = f"{tensorflow}.random"
    made = dtype if dtype in FLOATS else None
    if name in NORMAL:
        text = _call(
            f"{random}.normal", shape, _first(given, "mean", "loc"), _first(given, "stddev", "scale")
        )
        return _typed(text, made, dtype, tensorflow)
    if name in WHOLE:
        low, high = given.get("low", "0"), given.get("high")
        if "last" in given:
            high = f"{given['last']} + 1"
        low, high = ("0", low) if high is None else (low, high)
        kind = dtype if dtype in ("int32", "int64") else whole
        text = f"{random}.uniform({shape}, {low}, {high}, {tensorflow}.{kind})"
        return text if dtype in (None, kind) else f"{tensorflow}.cast({text}, {tensorflow}.{dtype})"
    if name.rpartition(".")[2] in ("random", "uniform", "rand", "random_sample"):
        text = _call(
            f"{random}.uniform", shape, _first(given, "low"), _first(given, "high"), "minval", "maxval"
        )
        return _typed(text, made, dtype, tensorflow)
    return _other(name, given, shape, tensorflow, dtype, whole)


def _other(
    name: str, given: dict[str, str], shape: str, tensorflow: str, dtype: str | None, whole: str
) -> str | None:
    random, last = f"{tensorflow}.random", name.rpartition(".")[2]
    if last == "binomial":
        single = given.get("n") == "1" and "p" in given
        drawn = f"{random}.uniform({shape}) < {given['p']}" if single else None
        return _cast(drawn, dtype or whole, tensorflow) if drawn else None
    text: str | None = None
    if last == "poisson":
        text = f"{random}.poisson({shape}, {given.get('lam', '1.0')})"
    elif last == "permutation" and "items" in given:
        text = permuted(given["items"], tensorflow)
    elif last == "choice" and "items" in given:
        text = chosen(given, shape, tensorflow, whole)
    elif last == "sample" and len(given) == 2:
        text = sampled(given["items"], given["k"], tensorflow)
    else:
        text = from_gammas(last, given, shape, tensorflow)
    return _cast(text, dtype, tensorflow) if text is not None and dtype is not None else text


def _first(given: dict[str, str], *names: str) -> str | None:
    return next((given[name] for name in names if name in given), None)


def _call(
    operation: str, shape: str, one: str | None, two: str | None, first: str = "mean", second: str = "stddev"
) -> str:
    if one is None:
        return f"{operation}({shape}{f', {second}={two}' if two is not None else ''})"
    return f"{operation}({shape}, {one}{f', {two}' if two is not None else ''})"


def _typed(text: str, made: str | None, dtype: str | None, tensorflow: str) -> str:
    if made is not None and made != "float32":
        return f"{text[:-1]}, dtype={tensorflow}.{made})"
    return text if dtype in (None, "float32") else _cast(text, dtype, tensorflow)


def _cast(text: str, dtype: str | None, tensorflow: str) -> str:
    return f"{tensorflow}.cast({text}, {tensorflow}.{dtype})"


def _converted(call: ast.Call, scope: Scope, parents: dict[ast.AST, ast.AST]) -> tuple[ast.expr, str | None]:
    """The draw with the conversions right around it, and the dtype that they give."""
    outer: ast.expr = call
    dtype: str | None = None
    while True:
        around = parents.get(outer)
        method = around if isinstance(around, ast.Attribute) and around.attr == "astype" else None
        user = parents.get(method) if method is not None else around
        if not isinstance(user, ast.Call):
            return outer, dtype
        if method is not None and user.func is method and user.args:
            stated = dtype_name(user.args[0], scope)
        elif dotted_name(user.func, scope) in CONVERTING and user.args[:1] == [outer]:
            written = [*user.args[1:], *(k.value for k in user.keywords if k.arg == "dtype")]
            stated = next((name for each in written if (name := dtype_name(each, scope))), dtype)
            if written and stated is None:
                return outer, dtype
        elif dotted_name(user.func, scope) == "builtins.float" and user.args == [outer]:
            stated = dtype
        else:
            return outer, dtype
        if method is not None and stated is None:
            return outer, dtype
        outer, dtype = user, stated


def is_only_a_seed(module: Module, drawing: ast.AST) -> bool:
    """Whether what is drawn goes nowhere, or only to `seed=` of what draws on: no stateless operation.

    What Python prints while tracing, or names operations by, goes nowhere as well.
    """
    scope = module.scope_at(drawing)
    around = list(ast.walk(scope.node))
    made = (node for node in around if isinstance(node, ast.Assign) and drawing in ast.walk(node.value))
    name = next((_name_given(node) for node in made), "")
    uses = [
        node
        for node in around
        if isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Load)
    ]
    seeds = {
        part
        for node in around
        if isinstance(node, ast.Call) and "stateless" not in ast.unparse(node.func)
        for keyword in node.keywords
        if keyword.arg == "seed"
        for part in ast.walk(keyword.value)
    }
    shown = [node for node in around if isinstance(node, ast.Call) and is_for_people(node.func)]
    seeds.update(part for node in shown for given in node.args for part in ast.walk(given))
    own = bool(name) and name not in scope.outer_names and not isinstance(scope.node, ast.Module)
    return drawing in seeds or ((own or bool(uses)) and seeds.issuperset(uses))


def _name_given(node: ast.AST) -> str:
    target = node.targets[0] if isinstance(node, ast.Assign) and len(node.targets) == 1 else None
    return target.id if isinstance(target, ast.Name) else ""
