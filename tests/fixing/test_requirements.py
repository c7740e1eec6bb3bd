"""What must hold after a fix, judged from what two runs recorded."""

import pytest

from graphdoctor.fixing.requirements import Sources, UnmetError, requirements_met
from graphdoctor.fixing.witness_file import Call, Gradient, Leaf, Source, Witnessed
from graphdoctor.rules.repair import MISSING_GRADIENT, NewGradient, Repair

STEP = 1e-3


def number(value: float) -> Leaf:
    return Leaf("float32", (), (value,))


def make_gradient(*slopes: float | None, target: float = 2.0, stops: bool = False) -> Gradient:
    """A call of `tape.gradient`: for each source its slope, or None where it has no gradient."""
    sources = tuple(
        Source(number(1.0), variable=place, gradient=number(slope), slope=slope, norm=abs(slope))
        if slope is not None
        else Source(number(1.0), variable=place)
        for place, slope in enumerate(slopes)
    )
    return Gradient(tape=1, target=target, size=abs(target), sources=sources, step=STEP, stops=stops)


def require(
    repair: Repair, before: Gradient | None, now: Gradient, measured: float = 3.0, **ends: float
) -> tuple[str, ...]:
    """What holds when the target changes by `measured` per step; `ends` are variables at the end."""

    def move(sources: Sources) -> Witnessed:
        moved = now.target + STEP * measured
        return Witnessed(gradients=(make_gradient(*(one.slope for one in now.sources), target=moved),))

    eager = Witnessed(gradients=(before,) if before is not None else ())
    last = {int(name[1:]): number(value) for name, value in ends.items()}
    repaired = Witnessed(gradients=(now,), numbered=last)
    return requirements_met([repair], eager, repaired, repaired, move, died=False)


def test_a_gradient_that_agrees_with_a_numerical_derivative() -> None:
    assert require(MISSING_GRADIENT, make_gradient(None), make_gradient(3.0)) == (
        "gradients exist that did not: 1 source",
        "it agrees with a numerical derivative (3, measured 3)",
    )


def test_a_gradient_that_lacks_a_path() -> None:
    with pytest.raises(UnmetError, match="the gradient says 3 and a numerical derivative 5"):
        require(MISSING_GRADIENT, make_gradient(None), make_gradient(3.0), measured=5.0)


def test_a_source_that_still_has_none() -> None:
    with pytest.raises(UnmetError, match="1 source still without a gradient"):
        require(MISSING_GRADIENT, make_gradient(None), make_gradient(None))


def test_another_target() -> None:
    with pytest.raises(UnmetError, match="the target of the gradient is 4, and was 2"):
        require(MISSING_GRADIENT, make_gradient(None), make_gradient(3.0, target=4.0))


def test_gradients_that_the_original_stops_on_purpose_are_not_measured() -> None:
    before, now = make_gradient(None, stops=True), make_gradient(3.0, stops=True)
    assert "stops gradients itself" in require(MISSING_GRADIENT, before, now, measured=5.0)[1]
    with pytest.raises(UnmetError):
        require(MISSING_GRADIENT, make_gradient(None), now, measured=5.0)


def test_an_estimate_of_what_has_no_derivative_is_not_measured() -> None:
    repair = Repair(gradient=NewGradient.ESTIMATED)
    assert require(repair, make_gradient(None), make_gradient(3.0), measured=0.0) == (
        "gradients exist that did not: 1 source",
    )


def test_sources_that_are_new() -> None:
    found = require(MISSING_GRADIENT, make_gradient(), make_gradient(1.0, 2.0))
    assert found[0] == "gradients exist that did not: 2 sources"


def test_what_gets_a_gradient_is_trained() -> None:
    now = make_gradient(1.0, 2.0)
    assert require(Repair(trains=True), None, now, v0=0.9, v1=0.8) == ("2 variables trained",)
    assert require(Repair(trains=True), None, now, v0=1.0, v1=1.0) == ()  # nothing is trained at all
    with pytest.raises(UnmetError, match="only 1 of 2 variables with a gradient change"):
        require(Repair(trains=True), None, now, v0=0.9, v1=1.0)


def test_what_is_drawn_differs_between_calls() -> None:
    def returned(*values: float) -> Witnessed:
        return Witnessed(calls={("f", n): Call((number(one),), None) for n, one in enumerate(values)})

    def varies(eager: Witnessed, fixed: Witnessed) -> tuple[str, ...]:
        return requirements_met([Repair(varies=True)], eager, fixed, fixed, lambda _: fixed, died=False)

    assert varies(returned(1.0, 2.0), returned(5.0, 6.0)) == ("`f` returns something else at each call",)
    assert varies(returned(1.0, 1.0), returned(5.0, 5.0)) == ()
    with pytest.raises(UnmetError, match="`f` still returns the same at each call"):
        varies(returned(1.0, 2.0), returned(5.0, 5.0))
