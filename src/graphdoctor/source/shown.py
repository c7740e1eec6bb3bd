"""Calls that only show something to people: messages, and the names of operations."""

import ast

from graphdoctor.source.nodes import spelled

MESSAGES = ("print",)
LEVELS = ("debug", "info", "warning", "warn", "error", "log")
NAMING = ("name_scope", "Trace", "StepTraceAnnotation")


def is_for_people(called: ast.expr) -> bool:
    """Whether what this is given is shown while Python runs, and no operation computes anything of it."""
    if isinstance(called, ast.Name):
        return called.id in MESSAGES
    return isinstance(called, ast.Attribute) and (
        called.attr in NAMING or (called.attr in LEVELS and "log" in spelled(called.value).lower())
    )
