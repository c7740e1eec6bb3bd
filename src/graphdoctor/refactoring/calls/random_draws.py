"""A random number that Python or NumPy draws → the operation that draws from the same distribution."""

import ast

from graphdoctor.model import Edit
from graphdoctor.refactoring.calls.random_distributions import chosen, from_gammas, permuted, sampled
from graphdoctor.refactoring.syntax.dtypes import FLOATS, dtype_name
from graphdoctor.refactoring.syntax.expressions import within
from graphdoctor.refactoring.syntax.imports import tensorflow_at
from graphdoctor.source.calls import called_name, has_stars, is_for_people, method_name
from graphdoctor.source.def_use import Kind, place_of
from graphdoctor.source.module import Module
from graphdoctor.source.resolving import call_of, def_use, only_value
from graphdoctor.source.scopes import Scope
from graphdoctor.source.surroundings import around, name_given, parents_of, statement_around

# The parameters of each function, in their order.
PARAMETERS = {
    "random.random": (), "random.uniform": ("low", "high"), "random.gauss": ("mean", "stddev"),
    "random.normalvariate": ("mean", "stddev"), "random.randint": ("low", "last"),
    "random.randrange": ("low", "high"), "random.choice": ("items",), "random.sample": ("items", "k"),
    "random.betavariate": ("a", "b"), "random.expovariate": ("rate",), "random.gammavariate": ("a", "scale"),
    "random.lognormvariate": ("mean", "stddev"), "numpy.random.rand": ("*shape",),
    "numpy.random.randn": ("*shape",), "numpy.random.random": ("size",),
    "numpy.random.random_sample": ("size",), "numpy.random.standard_normal": ("size",),
    "numpy.random.normal": ("loc", "scale", "size"), "numpy.random.uniform": ("low", "high", "size"),
    "numpy.random.randint": ("low", "high", "size"), "numpy.random.integers": ("low", "high", "size"),
    "numpy.random.binomial": ("n", "p", "size"), "numpy.random.choice": ("items", "size", "replace", "p"),
    "numpy.random.permutation": ("items",), "numpy.random.exponential": ("scale", "size"),
    "numpy.random.poisson": ("lam", "size"), "numpy.random.beta": ("a", "b", "size"),
    "numpy.random.standard_exponential": ("size",), "numpy.random.gamma": ("shape", "scale", "size"),
    "numpy.random.standard_gamma": ("shape", "size"), "numpy.random.chisquare": ("df", "size"),
    "numpy.random.laplace": ("loc", "scale", "size"), "numpy.random.gumbel": ("loc", "scale", "size"),
    "numpy.random.lognormal": ("mean", "sigma", "size"),
}  # fmt: skip
NORMAL = {"random.gauss", "random.normalvariate", "numpy.random.normal", "numpy.random.randn",
          "numpy.random.standard_normal"}  # fmt: skip
WHOLE = {"random.randint", "random.randrange", "numpy.random.randint", "numpy.random.integers"}
CONVERTING = {"tensorflow.constant", "tensorflow.convert_to_tensor"}


def drawn(module: Module, call: ast.AST, name: str, whole: str = "int32") -> tuple[Edit, ...] | None:
    """The edits that draw with TensorFlow; `whole` is the dtype of whole numbers. None: no such operation."""
    scope, name = module.scope_at(call), _canonical(name)
    if name.endswith(".shuffle"):
        return _shuffled(module, call, scope)
    found = tensorflow_at(module, scope)
    if not isinstance(call, ast.Call) or found is None or name not in PARAMETERS:
        return None
    given = _bound(module, call, PARAMETERS[name])
    outer, dtype = _converted(module, call, scope)
    shape = _shape(given, found[0]) if given is not None else ""
    text = _operation(name, given, shape, found[0], whole, dtype) if given is not None else None
    if text is None:
        return None
    return module.replace(outer, within(text, parents_of(module).get(outer))), *found[1]


def _shuffled(module: Module, call: ast.AST, scope: Scope) -> tuple[Edit, ...] | None:
    """`order = tf.random.shuffle(order)`, of numbers in a row that only TensorFlow is given afterwards."""
    found, statement = tensorflow_at(module, scope), parents_of(module).get(call)
    given = call.args[0] if isinstance(call, ast.Call) and call.args else None
    if found is None or not isinstance(given, ast.Name) or not isinstance(statement, ast.Expr):
        return None
    uses, made = def_use(module, scope.node), only_value(given, scope)
    others = [one.node for one in uses.of(given.id, Kind.READ) if one.node is not given]
    users = [parents_of(module).get(each) for each in others]
    tensors = all(called_name(each, scope).startswith("tensorflow.") for each in users)
    if made is None or given.id not in scope.bindings or not tensors or not _is_a_row(made, scope):
        return None
    return module.replace(call, f"{given.id} = {found[0]}.random.shuffle({given.id})"), *found[1]


def _is_a_row(made: ast.expr, scope: Scope) -> bool:
    """`np.arange(…)`, and the list of a range."""
    inner = made.args[0] if isinstance(made, ast.Call) and len(made.args) == 1 else None
    names = called_name(made, scope), called_name(inner, scope)
    return names[0] == "numpy.arange" or names == ("builtins.list", "builtins.range")


def _canonical(name: str) -> str:
    """A generator's methods are called as NumPy's functions are: `numpy.random.Generator.normal`."""
    package, _, last = name.rpartition(".")
    return f"{'random' if package.partition('.')[0] == 'random' else 'numpy.random'}.{last}"


def _bound(module: Module, call: ast.Call, names: tuple[str, ...]) -> dict[str, str] | None:
    """The text of each argument by its name; None where an option is given that TensorFlow has not."""
    if has_stars(call):
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


def _shape(given: dict[str, str], tensorflow: str) -> str:
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


def _converted(module: Module, call: ast.Call, scope: Scope) -> tuple[ast.expr, str | None]:
    """The draw with the conversions right around it, and the dtype that they give."""
    outer: ast.expr = call
    dtype: str | None = None
    while (found := _conversion(module, outer, scope)) is not None:
        user, written = found
        stated = next((name for each in written if (name := dtype_name(each, scope))), None)
        if written and stated is None and (dtype is None or method_name(user) == "astype"):
            break
        outer, dtype = user, stated or dtype
    return outer, dtype


def _conversion(module: Module, draw: ast.expr, scope: Scope) -> tuple[ast.Call, list[ast.expr]] | None:
    """The call that converts a draw to a tensor or another dtype, and the dtype that it is given."""
    around = parents_of(module).get(draw)
    if isinstance(around, ast.Attribute) and around.attr == "astype":
        call = call_of(module, around)
        return (call, call.args[:1]) if call is not None and call.args else None
    if not isinstance(around, ast.Call) or around.args[:1] != [draw]:
        return None
    named = [each.value for each in around.keywords if each.arg == "dtype"]
    if called_name(around, scope) in CONVERTING:
        return around, [*around.args[1:], *named]
    return (around, []) if called_name(around, scope) == "builtins.float" and len(around.args) == 1 else None


def is_only_a_seed(module: Module, drawing: ast.AST) -> bool:
    """Whether what is drawn goes nowhere, or only to `seed=` of what draws on: no stateless operation.

    What Python prints while tracing, or names operations by, goes nowhere as well.
    """
    scope = module.scope_at(drawing)
    statement = statement_around(module, drawing)
    inside = statement is not None and module.scope_at(statement) is scope
    name = name_given(statement) if inside else ""
    uses = [one.node for one in def_use(module, scope.node).of(name, Kind.READ)]
    own = bool(name) and name not in scope.outer_names and not isinstance(scope.node, ast.Module)
    return _is_seed(module, drawing) or ((own or bool(uses)) and all(_is_seed(module, each) for each in uses))


def _is_seed(module: Module, node: ast.AST) -> bool:
    """Whether a value goes into a seed, or into what is only for people, within its function."""
    for outer in around(module, node):
        if isinstance(outer, ast.Call) and is_for_people(outer.func) and node in outer.args:
            return True
        if isinstance(outer, ast.keyword) and outer.arg == "seed":
            call = parents_of(module).get(outer)
            drawing = place_of(call.func).rpartition(".")[2] if isinstance(call, ast.Call) else ""
            return not drawing.startswith("stateless")
        if isinstance(outer, ast.stmt):
            return False
        node = outer
    return False
