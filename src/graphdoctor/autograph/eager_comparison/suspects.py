"""What differed between eager and graph, and what was called → the rules that explain it."""

from typing import Any

from graphdoctor.autograph.traces.tracing import Traced

FROZEN = (
    ("random", "GD208"),
    ("numpy.random", "GD208"),
    ("time", "GD209"),
    ("datetime", "GD209"),
    ("uuid", "GD209"),
)


def suspect_rules(traced: Traced, differing: list[str], changed: set[str]) -> tuple[str, ...]:
    """Ids of rules, the likeliest first."""
    found: dict[str, None] = {}
    if "error" in differing:
        found.update(dict.fromkeys(_rules_of_conversion(traced)))
    if {"outputs", "random numbers", "gradients", "variables"} & set(differing):
        found.update(dict.fromkeys(_rules_of_calls(traced)))
    if "side effects" in differing:
        found.update(dict.fromkeys(_rules_of_state(traced, changed)))
    return tuple(found)


def _rules_of_conversion(traced: Traced) -> list[str]:
    from graphdoctor.autograph.explaining import explain_trace

    page = explain_trace(traced)
    reasons = [page.reason, *(callee.reason for callee in page.called)]
    return [reason.rule for reason in reasons if reason is not None and reason.rule is not None]


def _rules_of_calls(traced: Traced) -> list[str]:
    found = []
    for call in traced.watch.calls:
        module = _module(call.function)
        found += [rule for prefix, rule in FROZEN if module == prefix or module.startswith(prefix + ".")]
        if call.function is next:
            found.append("GD210")
    return found


def _module(function: Any) -> str:
    owner = getattr(function, "__self__", None)
    kind = type(owner) if owner is not None and not hasattr(owner, "__spec__") else function
    return str(getattr(kind, "__module__", None) or getattr(owner, "__name__", ""))


def _rules_of_state(traced: Traced, changed: set[str]) -> list[str]:
    import ast

    from graphdoctor.autograph.eager_comparison.state import CONTAINERS, PythonState
    from graphdoctor.autograph.statements import function_node

    found = []
    node = function_node(traced.code.co_filename, traced.code.co_firstlineno, traced.code.co_name)
    containers = PythonState(traced.function).names_of(CONTAINERS)
    for name in sorted(changed):
        if name == "print":
            found.append("GD201")
        elif name in containers:
            found.append("GD202")
        elif name.startswith("self."):
            found.append("GD204")
        elif node is not None and any(
            isinstance(part, (ast.Global, ast.Nonlocal)) for part in ast.walk(node)
        ):
            found.append("GD203")
    return found
