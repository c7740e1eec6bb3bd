"""How a function uses one of its parameters: would a tensor do in place of a Python number?"""

import ast
import dataclasses
from collections.abc import Iterator, Mapping

from graphdoctor.model.words import shortened
from graphdoctor.refactoring.syntax.dtypes import FLOATS, dtype_of
from graphdoctor.refactoring.syntax.expressions import is_number_literal
from graphdoctor.source.calls import bind_arguments
from graphdoctor.source.functions import Function
from graphdoctor.source.module import Module
from graphdoctor.source.names import dotted_name
from graphdoctor.source.resolving import attribute_values, called_function, class_around, is_self
from graphdoctor.source.surroundings import leaves, parents_of, return_alike, stored_names

# These take a tensor of any number type where a Python number stood.
ACCEPTS_ANY_NUMBER = {"tensorflow.cast", "tensorflow.print", "tensorflow.summary.scalar",
                      "tensorflow.convert_to_tensor", "tensorflow.identity", "tensorflow.strings.as_string",
                      "builtins.float", "builtins.int", "builtins.print"}  # fmt: skip
SUMMARIES = "tensorflow.summary."
STEP_DTYPE = "int64"  # of `tf.summary.scalar(…, step=step)`: no other is taken
# Whole numbers, as tensors as well.
COUNTS = {"tensorflow.gather", "tensorflow.one_hot", "tensorflow.zeros", "tensorflow.ones", "tensorflow.fill",
          "tensorflow.reshape", "tensorflow.broadcast_to", "tensorflow.tile", "tensorflow.range",
          "tensorflow.random.normal", "tensorflow.random.uniform", "tensorflow.random.categorical",
          "tensorflow.math.top_k", "tensorflow.nn.top_k", "tensorflow.roll", "tensorflow.sequence_mask",
          "tensorflow.gather_nd", "tensorflow.slice", "tensorflow.nn.embedding_lookup"}  # fmt: skip
# What only a Python value can be, whatever the function.
STATIC_OPTIONS = {"axis", "axes", "num", "name", "perm", "dtype", "padding", "strides", "ksize", "filters",
                  "training", "units", "seed", "num_or_size_splits", "keepdims"}  # fmt: skip
STATIC_FUNCTIONS = {"tensorflow.split", "tensorflow.unstack", "tensorflow.transpose", "tensorflow.concat",
                    "tensorflow.stack", "tensorflow.expand_dims", "tensorflow.squeeze",
                    "tensorflow.TensorSpec", "tensorflow.constant", "tensorflow.Variable",
                    "tensorflow.device", "tensorflow.name_scope"}  # fmt: skip
DEPTH = 3
CONTAINERS = (ast.List, ast.Dict, ast.Tuple, ast.Set, ast.ListComp, ast.DictComp)


@dataclasses.dataclass(frozen=True, slots=True)
class Need:
    """A place that needs the Python value, and why."""

    module: Module
    node: ast.AST
    why: str


@dataclasses.dataclass(frozen=True, slots=True)
class NumberUse:
    """Whether a tensor would do, and with which dtype.

    `need` is what keeps it a Python value, where that is one place. `sure`: everything that it meets is
    known; else it is a guess, good where it can be tried. `dtypes` are to be tried in this order; None is
    what TensorFlow makes of it.
    """

    tensor_would_do: bool
    sure: bool = True
    dtypes: tuple[str | None, ...] = (None,)
    need: Need | None = None


@dataclasses.dataclass(slots=True)
class _Met:
    """What a value met on its way through a function."""

    floats: bool = False
    counts: bool = False
    unsure: bool = False
    partners: set[str | None] = dataclasses.field(default_factory=set)
    demanded: set[str] = dataclasses.field(default_factory=set)
    uses: int = 0
    need: Need | None = None


def number_use(
    function: Function, path: str, kind: str = "int", dtypes: Mapping[str, str | None] | None = None
) -> NumberUse:
    """How a function uses a parameter (or a part of one: `config.rate`) that is given as a Python number.

    `kind` is the number's type, `dtypes` those of the tensors among the other parameters.
    """
    root = path.partition(".")[0].partition("[")[0]
    if all(binding.kind != "parameter" for binding in function.scope.bindings.get(root, ())):
        return NumberUse(False)  # one of many in `**options`
    met = _Met()
    _Follower(function, dtypes or {}, met, 0).follow(path)
    if kind == "str" and met.uses:
        return NumberUse(False)
    if met.need is not None:
        return NumberUse(False, need=met.need)
    return _decided(met, kind)


def state_use(function: Function, path: str, kind: str) -> NumberUse:
    """How a function uses a global or an attribute that is a Python number now; stores do not count."""
    met = _Met()
    _Follower(function, {}, met, 0).follow(path, stores=True)
    return NumberUse(False, need=met.need) if met.need is not None else _decided(met, kind)


def state_use_around(module: Module, node: ast.AST, kind: str) -> NumberUse | None:
    """How the function around a piece of state uses it; None at the top of a module."""
    around = module.scope_at(node).function
    function = module.functions.get(around.node) if around is not None else None
    return state_use(function, ast.unparse(node), kind) if function is not None else None


def _decided(met: _Met, kind: str) -> NumberUse:
    if met.demanded:
        clash = len(met.demanded) > 1 or met.partners or met.floats
        return NumberUse(not clash, not met.unsure, tuple(met.demanded))
    known = {dtype for dtype in met.partners if dtype}
    sure = not met.unsure and None not in met.partners
    if len(known) > 1 or (met.counts and (met.floats or known & set(FLOATS))):
        return NumberUse(False)
    if known:
        return NumberUse(True, sure, tuple(known))
    if kind == "float":
        return NumberUse(True, not met.unsure, (None, "float64") if met.partners else (None,))
    if met.floats:
        return NumberUse(True, sure, ("float32",))
    if met.partners and not met.counts and kind == "int":
        return NumberUse(True, False, ("float32", None))
    return NumberUse(True, sure)


class _Follower:
    """Follows one value through the body of one function, and into the functions that it is given to."""

    def __init__(self, function: Function, dtypes: Mapping[str, str | None], met: _Met, depth: int) -> None:
        self.function = function
        self.scope = function.scope
        self.dtypes = dtypes
        self.met = met
        self.depth = depth
        self.parents = parents_of(function.home)

    def follow(self, path: str, after: int = 0, stores: bool = False) -> None:
        """Look at every use of a name, attribute or item, until it is bound to a tensor."""
        places = sorted(self._places(path), key=lambda node: (node.lineno, node.col_offset))
        for node in places:
            if node.lineno < after:
                continue
            self.met.uses += 1
            statement = self.parents.get(node)
            if not isinstance(getattr(node, "ctx", None), ast.Store):
                self._climb(node)
            elif isinstance(statement, ast.AugAssign):
                self._meets(statement.value)
            elif stores:
                continue
            elif self._is_bound_to_tensor(statement, path):
                return
            else:
                self._needs(node, f"`{path}` is assigned in the function")
            if self.met.need is not None:
                return

    def _places(self, path: str) -> Iterator[ast.expr]:
        for node in ast.walk(self.function.node):
            if path.isidentifier():
                if isinstance(node, ast.Name) and node.id == path:
                    yield node
            elif isinstance(node, ast.Attribute | ast.Subscript) and ast.unparse(node) == _normal(path):
                yield node

    def _is_bound_to_tensor(self, statement: ast.AST | None, path: str) -> bool:
        """Whether the name is bound to what TensorFlow makes of it: `step = tf.cast(step, …)`."""
        if not isinstance(statement, ast.Assign):
            return False
        uses = [n for n in ast.walk(statement.value) if isinstance(n, ast.Name) and n.id == path]
        for use in uses:
            self._climb(use)
        return self.met.need is None and bool(uses)

    def _climb(self, node: ast.expr) -> None:
        """Follow a value outwards, and note what it meets."""
        parent, option = self.parents.get(node), ""
        if isinstance(parent, ast.keyword):
            option, parent = parent.arg or "**", self.parents.get(parent)
        if isinstance(parent, ast.Call):
            self._given(parent, node, option)
        elif isinstance(parent, ast.BinOp):
            self._computed_with(parent, node)
        elif isinstance(parent, ast.Compare):
            self._compared(parent, node)
        elif isinstance(parent, ast.UnaryOp | ast.BoolOp | ast.List | ast.Tuple | ast.NamedExpr):
            self._climb(parent)
        elif isinstance(parent, ast.IfExp):
            self.met.unsure = True
            if parent.test is not node:
                self._climb(parent)
        elif isinstance(parent, ast.Subscript | ast.Slice):
            self._index(parent, node)
        elif isinstance(parent, ast.If | ast.While):
            self._branch(parent)
        elif isinstance(parent, ast.FormattedValue) and self._is_shown(parent):
            return
        elif isinstance(parent, ast.Assign):
            self._named(parent, node)
        elif isinstance(parent, ast.AugAssign):
            self._partner(parent.target)
        elif not isinstance(parent, ast.Return | ast.Expr | ast.Lambda):
            self._needs(parent or node, f"`{self._text(parent or node)}` needs it in Python")

    def _is_shown(self, part: ast.FormattedValue) -> bool:
        return part.format_spec is None and self._is_printed(self.parents.get(part))

    def _is_printed(self, text: ast.AST | None) -> bool:
        """Whether a text only goes to `print`, which shows a tensor as well."""
        call = self.parents.get(text) if text is not None else None
        return isinstance(call, ast.Call) and dotted_name(call.func, self.scope) == "builtins.print"

    def _given(self, call: ast.Call, node: ast.expr, option: str) -> None:
        name = dotted_name(call.func, self.scope)
        if name and name.startswith(SUMMARIES) and option == "step":
            self.met.demanded.add(STEP_DTYPE)
        elif name in ACCEPTS_ANY_NUMBER or (_is_filled_plainly(call) and self._is_printed(call)):
            return
        elif option in STATIC_OPTIONS or option == "**" or call.func is node:
            self._needs(call, f"`{self._text(call)}` needs it in Python")
        elif name == "builtins.range":
            self._range(call)
        elif name and name.startswith("tensorflow.") and not name.startswith("tensorflow.keras."):
            self._operation(call, node, name)
        elif name and name.partition(".")[0] in ("builtins", "numpy", "math", "random", "keras"):
            self._needs(call, f"`{self._text(call.func)}` needs it in Python")
        else:
            self._helper(call, node)

    def _operation(self, call: ast.Call, node: ast.expr, name: str) -> None:
        if name in STATIC_FUNCTIONS:
            self._needs(call, f"`{self._text(call.func)}` needs it in Python")
        elif name in COUNTS:
            self.met.counts = True
        else:
            others = [other for other in call.args if other is not node and not is_number_literal(other)]
            for other in others[:1]:
                self._partner(other)
            self.met.unsure = True

    def _helper(self, call: ast.Call, node: ast.expr) -> None:
        """A function of the project's own is looked into; another one may need a Python value."""
        helper = called_function(call, self.scope) if self.depth < DEPTH else None
        bound = bind_arguments(call, helper) if helper is not None else {}
        name = next((parameter for parameter, given in bound.items() if given is node), None)
        if helper is None or name is None:
            self.met.unsure = True
            self.met.partners.add(None)
            return
        known = {
            parameter: dtype
            for parameter, given in bound.items()
            if (dtype := dtype_of(given, self.scope, self.dtypes))
        }
        _Follower(helper, known, self.met, self.depth + 1).follow(name)

    def _computed_with(self, parent: ast.BinOp, node: ast.expr) -> None:
        other = parent.right if parent.left is node else parent.left
        if isinstance(other, ast.Constant) and isinstance(other.value, str):
            self._needs(parent, f"`{self._text(parent)}` makes a text")
        elif is_number_literal(other):
            divided = isinstance(parent.op, ast.Div)
            self.met.floats |= divided or _is_float(other)
            self._climb(parent)
        else:
            self._partner(other)

    def _compared(self, parent: ast.Compare, node: ast.expr) -> None:
        if not all(
            isinstance(op, ast.Lt | ast.LtE | ast.Gt | ast.GtE | ast.Eq | ast.NotEq) for op in parent.ops
        ):
            self._needs(parent, f"`{self._text(parent)}` needs it in Python")
            return
        others = [other for other in (parent.left, *parent.comparators) if other is not node]
        for other in others:
            if isinstance(other, ast.Constant) and not is_number_literal(other):
                self._needs(parent, f"`{self._text(parent)}` compares texts")
            else:
                self._meets(other)
        if self.met.need is None and all(map(is_number_literal, others)):
            self._climb(parent)

    def _meets(self, other: ast.expr) -> None:
        if is_number_literal(other):
            self.met.floats |= _is_float(other)
        else:
            self._partner(other)

    def _partner(self, other: ast.expr) -> None:
        self.met.partners.add(dtype_of(other, self.scope, self.dtypes))

    def _index(self, parent: ast.Subscript | ast.Slice, node: ast.expr) -> None:
        whole: ast.AST | None = parent
        while whole is not None and not isinstance(whole, ast.Subscript):
            whole = self.parents.get(whole)
        if whole is None or whole.value is node or self._is_python_container(whole.value):
            self._needs(parent, f"`{self._text(parent)}` needs it in Python")
        self.met.counts = True
        self.met.unsure |= whole is None or dtype_of(whole.value, self.scope, self.dtypes) is None

    def _is_python_container(self, node: ast.expr) -> bool:
        owner = class_around(self.scope)
        if isinstance(node, ast.Attribute) and is_self(node.value) and owner is not None:
            return any(map(_is_container, attribute_values(owner, node.attr)))
        found = self.scope.lookup(node.id) if isinstance(node, ast.Name) else None
        values = [binding.value for binding in found[1]] if found else [node]
        return any(map(_is_container, values))

    def _branch(self, statement: ast.If | ast.While) -> None:
        """A tensor may decide where both ways give the same names a value, and both return or none."""
        self.met.unsure = True
        before = self._names_before(statement)
        one, other = stored_names(statement.body) - before, stored_names(statement.orelse) - before
        same = one == other if isinstance(statement, ast.If) else not one and not other
        if not ((same and not leaves(statement)) or return_alike(statement, self.parents.get(statement))):
            self._needs(statement, f"`{self._text(statement).rstrip(':')}` is decided in Python")

    def _range(self, call: ast.Call) -> None:
        """`for i in range(n)` becomes a loop of the graph, which may change only what was there before."""
        loop = self.parents.get(call)
        self.met.counts = self.met.unsure = True
        simple = isinstance(loop, ast.For) and stored_names(loop.body) <= self._names_before(loop)
        if not simple or any(
            isinstance(part, ast.Return)
            or (isinstance(part, ast.Attribute) and part.attr in ("append", "extend"))
            for part in ast.walk(loop or call)
        ):
            self._needs(call, f"`{self._text(call)}` is written out iteration by iteration")

    def _names_before(self, statement: ast.stmt) -> set[str]:
        """The names that have a value when a statement begins."""
        found = {name for name, bound in self.scope.bindings.items() if bound[0].kind == "parameter"}
        for name, bound in self.scope.bindings.items():
            if any(getattr(binding.node, "lineno", 0) < statement.lineno for binding in bound):
                found.add(name)
        return found

    def _named(self, statement: ast.Assign, node: ast.expr) -> None:
        target = statement.targets[0]
        if len(statement.targets) == 1 and isinstance(target, ast.Name):
            if not any(isinstance(part, ast.Name) and part.id == target.id for part in ast.walk(node)):
                self.follow(target.id, after=statement.lineno + 1)
        elif not isinstance(target, ast.Attribute | ast.Subscript):
            self.met.unsure = True

    def _needs(self, node: ast.AST, why: str) -> None:
        """Only a Python value will do here."""
        if self.met.need is None:
            self.met.need = Need(self.function.home, node, why)

    def _text(self, node: ast.AST) -> str:
        return shortened(self.function.home.source_of(node).partition("\n")[0], 60)


def _is_container(node: ast.expr | None) -> bool:
    """A list, tuple or dict as it is written, also `[0.1] * 300`."""
    parts = [node.left, node.right] if isinstance(node, ast.BinOp) else [node]
    return any(isinstance(part, CONTAINERS) for part in parts)


def _is_float(node: ast.expr) -> bool:
    number = node.operand if isinstance(node, ast.UnaryOp) else node
    return isinstance(number, ast.Constant) and type(number.value) is float


def _normal(path: str) -> str:
    try:
        return ast.unparse(ast.parse(path, mode="eval"))
    except SyntaxError:
        return path


def _is_filled_plainly(call: ast.Call) -> bool:
    """Whether this is `"… {} …".format(…)` without a format, which a tensor does not take."""
    text = call.func.value if isinstance(call.func, ast.Attribute) and call.func.attr == "format" else None
    return isinstance(text, ast.Constant) and isinstance(text.value, str) and ":" not in text.value
