"""A watched trace → the explanation of a function."""

import types
from typing import Any

from msgspec import structs

from graphdoctor.autograph.conversion.callees import callees_of, judge, libraries_of, reference_to
from graphdoctor.autograph.conversion.marking import mark_lines, operations_by_line
from graphdoctor.autograph.conversion.notes import first_sentence
from graphdoctor.autograph.facts import Explanation, Failure, Reason
from graphdoctor.autograph.places import is_users, reference, shown
from graphdoctor.autograph.statements import line_range
from graphdoctor.autograph.targets.arguments import describe_arguments
from graphdoctor.autograph.traces.tracing import Traced, trace
from graphdoctor.rules.registry import rules_by_reason


def explain(function: Any, *examples: Any, **named_examples: Any) -> Explanation:
    """What AutoGraph and the tracer make of a function, given example arguments.

    The function is traced once, in a cache of its own, so its Python side effects happen once. An
    example may be a value, a tensor, or a `tf.TensorSpec`; a `tf.function` with an input signature
    needs none.
    """
    return explain_trace(trace(function, examples, named_examples))


def explain_trace(traced: Traced) -> Explanation:
    """The explanation of a trace that has been made."""
    outcome, reason = judge(traced, traced.code)
    return Explanation(
        function=reference(traced.function),
        arguments=describe_arguments(traced.arguments),
        outcome=outcome,
        reason=_with_rule(reason),
        lines=mark_lines(traced, traced.code),
        called=tuple(structs.replace(c, reason=_with_rule(c.reason)) for c in callees_of(traced)),
        libraries=libraries_of(traced),
        operations=sum(not operation.is_plumbing for operation in traced.operations),
        passes=traced.watch.passes,
        failure=_failure(traced),
    )


def followed(traced: Traced) -> list[Explanation]:
    """The explanations of the user's functions that the explained one reached, from the same trace."""
    whole = explain_trace(traced)
    codes = {**dict.fromkeys(traced.watch.converted_codes), **dict.fromkeys(traced.watch.as_is)}
    pages = [
        _page_of(traced, whole, code)
        for code in codes
        if code is not traced.code and code.co_name != "<lambda>" and is_users(code.co_filename)
    ]
    return sorted(pages, key=lambda page: (page.function.path, page.function.line))


def _page_of(traced: Traced, whole: Explanation, code: types.CodeType) -> Explanation:
    outcome, reason = judge(traced, code)
    own = operations_by_line(traced, code.co_filename, line_range(code))
    return structs.replace(
        whole,
        function=reference_to(code),
        arguments=(),
        outcome=outcome,
        reason=_with_rule(reason),
        lines=mark_lines(traced, code),
        called=(),
        libraries=(),
        operations=sum(counter.total() for counter in own.values()),
        passes=1,
        failure=None,
    )


def _with_rule(reason: Reason | None) -> Reason | None:
    """The reason with the id of the rule that explains it."""
    if reason is None:
        return None
    return structs.replace(reason, rule=rules_by_reason().get(reason.key))


def _failure(traced: Traced) -> Failure | None:
    if traced.error is None:
        return None
    start = (traced.code.co_filename, traced.code.co_firstlineno)
    error, place = traced.watch.failed_at or (traced.error, start)
    return Failure(
        type=type(error).__name__, message=first_sentence(error), path=shown(place[0]), line=place[1]
    )
