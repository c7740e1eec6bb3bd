"""Every private name of TensorFlow that `explain` rests on, and nothing else; read and run on 2.21."""

import contextlib
import functools
import types
from collections.abc import Callable, Iterator
from typing import Any, Protocol

from graphdoctor.errors import ExplainError

GENERATED = "__autograph_generated_file"
STATEMENTS = ("if_stmt", "for_stmt", "while_stmt", "if_exp")

Origin = tuple[str, int]


class Listener(Protocol):
    """What hears of every decision AutoGraph takes."""

    def called(self, original: Callable[..., Any], args: Any, kwargs: Any) -> Any:
        """A call in converted code; must run `original(*args, **kwargs)`."""

    def ran_as_is(self, function: Any) -> None:
        """The innermost call runs its function without converting it."""

    def could_not_convert(self, function: Any, cause: BaseException) -> None:
        """The innermost call tried to convert its function, and failed."""

    def converted(self, function: Any, source_map: dict[Origin, Origin]) -> None:
        """A function was converted; the map leads from generated lines to the user's."""

    def statement(self, name: str, original: Callable[..., Any], args: Any) -> Any:
        """An `if`, `for`, `while` or conditional expression; must run `original(*args)`."""

    def logged(self, level: int, message: str, arguments: tuple[Any, ...]) -> None:
        """A line of AutoGraph's own log."""


@contextlib.contextmanager
def listening(listener: Listener, verbosity: int = 0) -> Iterator[None]:
    """Let the listener hear what AutoGraph does meanwhile; its log goes to the listener alone."""
    from tensorflow.python.autograph.impl import api
    from tensorflow.python.autograph.utils import ag_logging

    operators = api._TRANSPILER.get_extra_locals()["ag__"]
    with contextlib.ExitStack() as patches:
        call = _wrap_call(api.converted_call, listener)
        patches.enter_context(_patched(api, "converted_call", call))
        patches.enter_context(_patched(operators, "converted_call", call))
        patches.enter_context(_patched(api, "_call_unconverted", _wrap_as_is(api, listener)))
        patches.enter_context(_patched(api, "_fall_back_unconverted", _wrap_failure(api, listener)))
        patches.enter_context(_patched(api, "_convert_actual", _wrap_conversion(api, listener)))
        for name in STATEMENTS:
            wrapped = _wrap_statement(name, getattr(operators, name), listener)
            patches.enter_context(_patched(operators, name, wrapped))
        patches.enter_context(_patched(ag_logging, "verbosity_level", verbosity))
        patches.enter_context(_patched(ag_logging, "log", _wrap_log(listener)))
        patches.enter_context(_patched(ag_logging, "warning", _wrap_warning(listener)))
        yield


@contextlib.contextmanager
def _patched(owner: Any, name: str, value: Any) -> Iterator[None]:
    original = getattr(owner, name)
    setattr(owner, name, value)
    try:
        yield
    finally:
        setattr(owner, name, original)


def _wrap_call(original: Callable[..., Any], listener: Listener) -> Callable[..., Any]:
    @functools.wraps(original)
    def converted_call(*args: Any, **kwargs: Any) -> Any:
        return listener.called(original, args, kwargs)

    return converted_call


def _wrap_as_is(api: Any, listener: Listener) -> Callable[..., Any]:
    original = api._call_unconverted

    @functools.wraps(original)
    def _call_unconverted(f: Any, *args: Any, **kwargs: Any) -> Any:
        listener.ran_as_is(f)
        return original(f, *args, **kwargs)

    return _call_unconverted


def _wrap_failure(api: Any, listener: Listener) -> Callable[..., Any]:
    original = api._fall_back_unconverted

    @functools.wraps(original)
    def _fall_back_unconverted(f: Any, args: Any, kwargs: Any, options: Any, exc: BaseException) -> Any:
        listener.could_not_convert(f, exc)
        return original(f, args, kwargs, options, exc)

    return _fall_back_unconverted


def _wrap_conversion(api: Any, listener: Listener) -> Callable[..., Any]:
    original = api._convert_actual

    @functools.wraps(original)
    def _convert_actual(entity: Any, program_ctx: Any) -> Any:
        transformed = original(entity, program_ctx)
        listener.converted(entity, source_map(transformed))
        return transformed

    return _convert_actual


def _wrap_statement(name: str, original: Callable[..., Any], listener: Listener) -> Callable[..., Any]:
    @functools.wraps(original)
    def statement(*args: Any) -> Any:
        return listener.statement(name, original, args)

    return statement


def _wrap_log(listener: Listener) -> Callable[..., None]:
    def log(level: int, msg: str, *args: Any, **kwargs: Any) -> None:
        listener.logged(level, msg, args)

    return log


def _wrap_warning(listener: Listener) -> Callable[..., None]:
    def warning(msg: str, *args: Any, **kwargs: Any) -> None:
        listener.logged(0, msg, args)

    return warning


def source_map(converted: Any) -> dict[Origin, Origin]:
    """From lines of a converted function's generated file to lines of the user's file."""
    return {
        (generated.filename, generated.lineno): (origin.loc.filename, origin.loc.lineno)
        for generated, origin in converted.ag_source_map.items()
    }


def convert(function: types.FunctionType) -> tuple[str, dict[Origin, Origin]]:
    """The file that AutoGraph generates for a function, and its map; raises what AutoGraph raises."""
    from tensorflow.python.autograph.core import converter
    from tensorflow.python.autograph.impl import api

    options = converter.ConversionOptions(recursive=True, user_requested=True, optional_features=None)
    converted = api._convert_actual(function, converter.ProgramContext(options=options))
    return str(converted.ag_module.__file__), source_map(converted)


def conversion_is_disabled() -> bool:
    """Whether something around us switched AutoGraph off."""
    from tensorflow.python.autograph.core import ag_ctx

    return bool(ag_ctx.control_status_ctx().status == ag_ctx.Status.DISABLED)


def is_do_not_convert(function: Any) -> bool:
    """Whether a callable is what `tf.autograph.experimental.do_not_convert` returned."""
    from tensorflow.python.autograph.impl import api

    code = getattr(getattr(function, "__func__", function), "__code__", None)
    return code is not None and code in api.do_not_convert.__code__.co_consts


def is_graph_function(value: Any) -> bool:
    """Whether this is what `tf.function` returns."""
    from tensorflow.python.eager.polymorphic_function import polymorphic_function

    return isinstance(value, polymorphic_function.Function)


def plain_function(value: Any) -> Any:
    """The user's own function or bound method inside decorators of TensorFlow's."""
    from tensorflow.python.util import tf_decorator

    if is_graph_function(value):
        value = value.python_function
    plain = tf_decorator.unwrap(value)[1]
    owner: Any = getattr(plain, "__self__", None)
    if type(owner).__name__ == "TfMethodTarget":
        function = tf_decorator.unwrap(owner.weakrefself_func__())[1]
        if owner.target is None:
            raise ExplainError(f"the object of `{plain.__name__}` is gone: keep it in a variable")
        return types.MethodType(function, owner.target)
    return plain


def options_of(value: Any) -> dict[str, Any]:
    """How a `tf.function` was asked for, as arguments for another one."""
    if not is_graph_function(value):
        return {}
    return {
        "input_signature": value.input_signature,
        "autograph": value._autograph,
        "jit_compile": value._jit_compile,
        "reduce_retracing": value._reduce_retracing,
        "experimental_autograph_options": value._experimental_autograph_options,
    }


def current_graph() -> Any:
    """The graph that operations go into now."""
    from tensorflow.python.framework import ops

    return ops.get_default_graph()


def allow_listed_packages() -> frozenset[str]:
    """The packages whose functions AutoGraph never converts."""
    from tensorflow.python.autograph.core import config

    rules = [rule for rule in config.CONVERSION_RULES if isinstance(rule, config.DoNotConvert)]
    return frozenset(rule._prefix.split(".")[0] for rule in rules)


def public_name(function: Any) -> str | None:
    """The name under which TensorFlow exports one of its functions: `size` for what is called `size_v2`."""
    from tensorflow.python.util import tf_decorator

    if not callable(function):
        return None
    names = getattr(tf_decorator.unwrap(function)[1], "_tf_api_names", None) or ()
    return min((str(name) for name in names), key=len, default=None)


def is_overloaded(function: Any) -> bool:
    """Whether AutoGraph runs its own version of this built-in function, as of `range` and `len`."""
    from tensorflow.python.autograph.operators import py_builtins

    try:
        return py_builtins.overload_of(function) is not function
    except TypeError:  # not hashable
        return False


def conversion_error(function: Any) -> BaseException | None:
    """The error with which AutoGraph would refuse a function.

    AutoGraph itself remembers a refusal, and is silent about the cause from the second time on.
    """
    try:
        convert(getattr(function, "__func__", function))
    except Exception as error:
        return error
    return None


def nested_graphs(graph: Any, operation: Any) -> Iterator[tuple[str, Any]]:
    """The graphs of the functions that an operation calls: a loop's body, a branch, another function."""
    for name, attribute in sorted(operation.node_def.attr.items()):
        functions = [attribute.func] if attribute.HasField("func") else attribute.list.func
        for number, function in enumerate(functions):
            definition = graph._get_function(function.name)
            inner = getattr(definition, "graph", None)
            if inner is not None:
                yield (name if attribute.HasField("func") else f"{name}[{number}]"), inner


def key_of_call(function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """The function type that a call of a `tf.function` would look up in its cache."""
    from tensorflow.python.eager.polymorphic_function import function_type_utils

    bound = function_type_utils.canonicalize_function_inputs(
        args, kwargs, function._function_type, function._default_values, function._is_pure
    )
    positional, signature = bound.args, function.input_signature
    if signature is not None:
        positional = (*signature, *positional[len(signature) :])
    kind, _ = function_type_utils.make_canonicalized_monomorphic_type(
        positional, bound.kwargs, function._function_captures.capture_types, function._function_type
    )
    return kind


def cached_keys(function: Any) -> list[Any]:
    """The function types that a `tf.function` holds a trace for."""
    return [concrete.function_type for concrete in function._function_cache.values()]


def would_hit(function: Any, key: Any) -> bool:
    """Whether TensorFlow would find a trace for this key now, by its own lookup."""
    from tensorflow.python.eager.polymorphic_function import function_context

    options = function._no_variable_creation_config or function._variable_creation_config
    if options is None:
        return False
    if not function._created_variables:
        options = function._variable_creation_config
    context = function_context.make_function_context(options.scope_type)
    return function._function_cache.lookup(key, context) is not None
