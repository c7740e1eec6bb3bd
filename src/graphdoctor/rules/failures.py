"""TensorFlow's graph-mode exceptions → findings in our words, with the rule that explains each."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from graphdoctor.model import Certainty, Evidence, Finding, Fix, FunctionRef, Observed, Safety, Severity
from graphdoctor.model.span import whole_line
from graphdoctor.recording.format import Failure, Trace
from graphdoctor.rules.facts import Facts
from graphdoctor.rules.registry import find_rule


class Explanation(NamedTuple):
    """What a message of TensorFlow's means; `{0}` and so on are the groups of the pattern."""

    pattern: str
    rule: str
    name: str
    meaning: str
    order: str
    in_keras: bool | None = None
    through: str = ""


WITHOUT_AUTOGRAPH = "Keras 3 runs this code without AutoGraph, and "
EXPLANATIONS = (
    Explanation(
        r"because it was defined in FuncGraph\(name=(?:while_body|while_cond)",
        "GD309", "append-in-tensor-loop",
        "a tensor made inside a TensorFlow loop is used outside it; a list filled in the loop holds such",
        "Use a `tf.TensorArray`",
    ),
    Explanation(
        r"cannot be accessed from|is out of scope and cannot be used here",
        "GD212", "leaked-tensor",
        "a tensor of a finished graph was kept and is used here, where it means nothing",
        "Return it from the function",
    ),
    Explanation(
        r"symbolic `?tf\.Tensor`? as a Python `?bool`?",
        "GD701", "tensor-control-flow-in-keras",
        WITHOUT_AUTOGRAPH + "a tensor cannot decide an `if` or a `while` here",
        "Decorate it with `@tf.function`",
        in_keras=True,
    ),
    Explanation(
        r"symbolic `?tf\.Tensor`? as a Python `?bool`?",
        "GD340", "unconverted-control-flow",
        "this code is not converted by AutoGraph, so that a tensor cannot decide an `if` or a `while`",
        "Decorate it with `@tf.function`",
    ),
    Explanation(
        r"[Ii]terating over a symbolic `?tf\.Tensor`?",
        "GD701", "tensor-control-flow-in-keras",
        WITHOUT_AUTOGRAPH + "a tensor cannot be looped over here",
        "Decorate it with `@tf.function`",
        in_keras=True,
    ),
    Explanation(
        r"[Ii]terating over a symbolic `?tf\.Tensor`?",
        "GD330", "tensor-comprehension",
        "Python itself loops over a tensor here, which has no values while it is traced",
        "Use `tf.map_fn` or `tf.unstack`",
    ),
    Explanation(
        r"only supports singleton tf\.Variables|Creating variables on a non-first call",
        "GD403", "several-optimizers",
        "a second optimizer creates its variables here; a graph function may create variables once only",
        "Build the optimizer first",
        through="optimizers/",
    ),
    Explanation(
        r"only supports singleton tf\.Variables|Creating variables on a non-first call",
        "GD401", "variable-per-call",
        "a variable is created here on a call that is not the first; a graph function may create "
        "variables once only",
        "Create it outside, once",
    ),
    Explanation(
        r"'(\w+)' must be defined before the loop.*'\1' must also be initialized in the \w+ branch",
        "GD301", "defined-in-one-branch",
        "`{0}` gets its value in one branch of a tensor `if` inside this loop only, so that it may have "
        "none after the loop",
        "Define it before the loop",
    ),
    Explanation(
        r"'(\w+)' must also be initialized in the (\w+) branch",
        "GD301", "defined-in-one-branch",
        "`{0}` has no value in the {1} branch, but both branches of a tensor `if` must give it one",
        "Define it before the `if`",
    ),
    Explanation(
        r"'(\w+)' is None at the end of the (\w+) branch",
        "GD302", "none-in-branch",
        "`{0}` is None at the end of the {1} branch, and a graph has no None",
        "Start with a tensor",
    ),
    Explanation(
        r"the (\w+) branch must also have a return statement",
        "GD303", "return-in-one-branch",
        "the {0} branch of a tensor `if` returns nothing, but the other returns a value",
        "Return in both branches",
    ),
    Explanation(
        r"'(\w+)' has dtype (\w+) in the main branch, but dtype (\w+) in the else",
        "GD304", "branch-dtype-differs",
        "`{0}` is {1} in one branch and {2} in the other",
        "Give both one dtype",
    ),
    Explanation(
        r"'(\w+)' .*(?:same nested structure|nested structures)",
        "GD305", "structure-differs",
        "`{0}` has another structure in the other branch, or after a turn of the loop",
        "Keep one structure",
    ),
    Explanation(
        r"'(\w+)' has dtype (\w+) before the loop, but dtype (\w+) after",
        "GD306", "loop-dtype-changes",
        "`{0}` is {1} before the loop and {2} after one turn",
        "Start with the right dtype",
    ),
    Explanation(
        r"'(\w+)' has shape (\([^)]*\)) before the loop, but shape (\([^)]*\)) after",
        "GD307", "loop-shape-changes",
        "`{0}` has shape {1} before the loop and {2} after one turn, but a graph loop keeps shapes",
        "Use a `tf.TensorArray`",
    ),
    Explanation(
        r"break and return statements which depend on a TF condition",
        "GD314", "tensor-break-in-python-loop",
        "a tensor decides when this Python loop ends, but Python writes the loop out before any value "
        "is known",
        "Loop over `tf.range`",
    ),
    Explanation(
        r"a return statement cannot be placed inside this TensorFlow loop",
        "GD317", "return-in-tensor-loop",
        "a `return` inside a TensorFlow loop cannot be made part of the graph",
        "Set a result and `break`",
    ),
    Explanation(
        r"object has no attribute '(numpy|item|tolist)'",
        "GD801", "numpy-of-symbolic-tensor",
        "`.{0}()` asks a tensor for its value while it is traced, when it has none",
        "Stay in TensorFlow",
    ),
    Explanation(
        r"Cannot convert a symbolic tf\.Tensor",
        "GD802", "numpy-call-on-tensor",
        "NumPy was given a tensor while it is traced, when it has no value",
        "Use the TensorFlow function",
    ),
    Explanation(
        r"Can not cast (TensorSpec\(.*?\)) to (TensorSpec\(.*?\))`",
        "GD104", "signature-mismatch",
        "the function was called with `{0}`, but its input_signature asks for `{1}`",
        "Widen the signature",
    ),
    Explanation(
        r"Could not generate a generic TraceType for",
        "GD109", "fresh-object-argument",
        "an argument is neither hashable nor a tensor, so that TensorFlow has no key for it",
        "Freeze the dataclass",
    ),
    Explanation(
        r"Expected int32, but got None of type 'NoneType'",
        "GD601", "static-shape-is-none",
        "a size that is not known while tracing (`x.shape[i]` is None) was used as a number",
        "Use `tf.shape(x)[i]`",
    ),
    Explanation(
        r"Expected any non-tensor type, but got a tensor",
        "GD804", "constant-of-tensor",
        "`tf.constant` was given a tensor, which works eagerly only",
        "Use `tf.convert_to_tensor`",
    ),
    Explanation(
        r"should not modify its Python input arguments.*modified: (\w+)",
        "GD205", "argument-mutated",
        "the function changes its argument `{0}`, which a traced function must not",
        "Change a copy",
    ),
    Explanation(
        r"non-persistent GradientTape can only be used to compute one set",
        "GD507", "tape-used-twice",
        "this tape was already asked for a gradient, and is not persistent",
        "Add `persistent=True`",
    ),
    Explanation(
        r"Tensor' object has no attribute '_unique_id'",
        "GD510", "zip-wrong-way-round",
        "the optimizer was given tensors where it takes variables: pairs are (gradient, variable)",
        "Swap the two",
    ),
)  # fmt: skip
SELF_IS_GONE = Explanation(
    r"'NoneType' object has no attribute",
    "GD411", "method-of-temporary-object",
    "the object of this method is gone: TensorFlow holds it weakly, and nobody else held it",
    "Keep the object in a variable",
)  # fmt: skip


def explain_failures(facts: Facts) -> Iterator[Finding]:
    """One finding for each kind of failure that we can explain; the same one is told where it began."""
    traces = {trace.number: trace for recording in facts.recordings for trace in recording.traces}
    groups: dict[object, list[Failure]] = {}
    for failure in facts.of(Failure):
        groups.setdefault((failure.text, failure.place), []).append(failure)
    texts = {failure.text for group in groups.values() for failure in group if failure.trace}
    for group in groups.values():
        last = group[-1]
        if last.trace == 0 and last.text in texts:
            continue  # a trace failed with it
        if not _inner_failed_alike(group, groups, traces):
            yield from _explain(last, [traces[f.trace] for f in group if f.trace in traces])


def _inner_failed_alike(
    group: list[Failure], groups: dict[object, list[Failure]], traces: dict[int, Trace]
) -> bool:
    """Whether the same error was told of a trace inside this one: the inner one is the place to look."""
    numbers = {failure.trace for failure in group if failure.trace}
    inner = [
        traces[failure.trace]
        for others in groups.values()
        if others is not group
        for failure in others
        if failure.trace in traces
    ]
    return any(trace.trace in numbers for trace in inner)


def _explain(failure: Failure, traces: list[Trace]) -> Iterator[Finding]:
    last = traces[-1] if traces else None
    keras = last is not None and last.origin == "keras"
    candidates = (SELF_IS_GONE, *EXPLANATIONS) if last is not None and last.per_instance else EXPLANATIONS
    for explanation in candidates:
        found = re.search(explanation.pattern, failure.text, re.DOTALL)
        if found is None or explanation.in_keras not in (None, keras):
            continue
        if explanation.through not in failure.through:
            continue
        yield _finding(failure, traces, explanation, explanation.meaning.format(*found.groups()))
        return


def _finding(failure: Failure, traces: list[Trace], explanation: Explanation, meaning: str) -> Finding:
    last = traces[-1] if traces else None
    rule = find_rule(explanation.rule)
    if failure.place is not None:
        place = whole_line(failure.place.path, failure.place.line)
    elif last is not None:  # raised by TensorFlow after the function had ended
        place = whole_line(last.function.path, last.function.line)
    else:
        place = whole_line("", 0)
    own = last is not None and not last.library
    seconds = round(sum(trace.own_seconds for trace in traces), 6)
    return Finding(
        path=place.path,
        line=place.line,
        column=place.column,
        end_line=place.end_line,
        end_column=place.end_column,
        rule=explanation.rule,
        name=rule.name if rule else explanation.name,
        severity=Severity.ERROR,
        message=f"{meaning} ({failure.type})",
        function=FunctionRef(name=last.function.name, path=last.function.path, line=last.function.line)
        if own and last
        else None,
        observed=Observed(traces=0, failed=len(traces), seconds=seconds) if traces else None,
        fix=Fix(title=explanation.order, safety=Safety.MANUAL),
        evidence=Evidence.RUN,
        certainty=Certainty(reached=failure.reached, traced=failure.traced, caught=failure.caught),
    )
