"""An explanation and a diagnosis made by hand, with texts that would do harm if they were markup."""

from graphdoctor.autograph.facts import Callee, Explanation, Failure, Library, Line, Mark, Outcome, Reason
from graphdoctor.diagnosis.advice import Advice
from graphdoctor.diagnosis.checklist import Check
from graphdoctor.diagnosis.diagnosis import Diagnosis
from graphdoctor.diagnosis.measurements import Phase, Step
from graphdoctor.model import FunctionRef, Report

HOSTILE = "</script><img src=x onerror=alert(1)><b>\"'"


def make_explanation(text: str = "step", **changes: object) -> Explanation:
    """An explanation with each mark once, and functions that were not converted."""
    marks = [None, *Mark]
    reason = Reason("lambda", f"the lambda of {text} shares its line", f"name `{text}`", "GD301")
    given: dict[str, object] = {
        "function": FunctionRef(name=text, path=f"{text}.py", line=3),
        "arguments": (f"{text}: float32[None, 80]",),
        "outcome": Outcome.CONVERTED,
        "reason": None,
        "lines": tuple(
            Line(number=3 + index, text=f"    {text}_{index}()", mark=mark, count=2, notes=(f"`{text}`",))
            for index, mark in enumerate(marks)
        ),
        "called": (
            Callee(
                function=FunctionRef(name="helper", path="t.py", line=1),
                outcome=Outcome.CONVERTED,
                lines=(4,),
            ),
            Callee(
                function=FunctionRef(name=text, path="t.py", line=9), outcome=Outcome.AS_IS, reason=reason
            ),
        ),
        "libraries": (Library("builtins", Outcome.OVERLOADED, ("range",)),),
        "operations": 12,
        "passes": 1,
        "failure": Failure(type="ValueError", message=text, path=f"{text}.py", line=5),
    }
    return Explanation(**{**given, **changes})  # type: ignore[arg-type]


def make_diagnosis(text: str = "step", error: str | None = None, report: Report | None = None) -> Diagnosis:
    """A diagnosis with a check of each kind and two phases, one without any time."""
    steps = tuple(Step(seconds / 10, 1, seconds / 20, True, ()) for seconds in (9, 1, 0, 2))
    return Diagnosis(
        target=f"{text}:Trainer",
        healthy=False,
        checks=(Check(text, True, f"`{text}`"), Check("b", False, "no"), Check("c", None, "nothing")),
        advice=(Advice(0.5, f"`{text}` was traced", "pad"),),
        phases=(Phase(text, steps), Phase("validation", (Step(0.0, 0, 0.0, True, ()),))),
        report=report,
        error=error,
    )
