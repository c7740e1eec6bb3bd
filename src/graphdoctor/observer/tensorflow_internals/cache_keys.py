"""What the key of a trace holds: the arguments that are Python values or objects, and the context."""

from collections.abc import Callable
from typing import Any

CONTEXT_FIELDS = {
    "parent_graph": "parent graph",
    "device_functions": "device",
    "colocation_stack": "colocation",
    "in_cross_replica_context": "distribution strategy",
    "variable_policy": "saving",
    "xla_context_id": "XLA context",
}


def cached_keys(options: Any) -> list[tuple[Any, str, dict[str, str]]]:
    """What this Function object was traced for before, oldest first: type, pass and context fields."""
    if options.function_cache is None:
        return []
    return [
        (function_type, context.scope_type.name, _fields_of(context.context))
        for context, function_type in list(options.function_cache._primary)
    ]


def context_fields(options: Any) -> dict[str, str]:
    """What the cache key holds beside the arguments, as short texts that can be compared."""
    from tensorflow.python.eager.polymorphic_function import function_context

    return _fields_of(function_context.make_function_context(options.scope_type).context)


def _fields_of(context: Any) -> dict[str, str]:
    fields = {title: _context_text(getattr(context, field, None)) for field, title in CONTEXT_FIELDS.items()}
    return {title: text for title, text in fields.items() if text}


def _context_text(value: Any) -> str:
    if value is None or value is False or value == () or value == 0:
        return ""
    if isinstance(value, tuple):
        return ", ".join(_context_text(item) for item in value)
    name = getattr(value, "name", None) or getattr(value, "__name__", None)
    if type(value).__module__ == "builtins" or name is None:
        return str(value)[:200]
    return f"{type(value).__name__} {name}"


def literals(function_type: Any) -> dict[str, Any]:
    """The Python values among the arguments that a cache key holds, by path."""
    found: dict[str, Any] = {}
    for name, parameter in function_type.parameters.items():
        _add_literals(name, parameter.type_constraint, found)
    return found


def _add_literals(path: str, kind: Any, found: dict[str, Any]) -> None:
    name = type(kind).__name__
    if name == "Literal":
        found[path] = kind.value
    elif name in ("List", "Tuple"):
        components = kind.components_tuple.components if name == "List" else kind.components
        for index, component in enumerate(components):
            _add_literals(f"{path}[{index}]", component, found)
    elif name == "Dict":
        for key, component in kind.mapping.items():
            _add_literals(f"{path}[{key!r}]".replace("'", '"'), component, found)


def object_arguments(function_type: Any) -> dict[str, Callable[[], Any]]:
    """The arguments that are objects of the program's, by name, as TensorFlow refers to them: weakly."""
    kinds = {name: parameter.type_constraint for name, parameter in function_type.parameters.items()}
    return {name: kind._ref for name, kind in kinds.items() if type(kind).__name__ == "Weakref"}
