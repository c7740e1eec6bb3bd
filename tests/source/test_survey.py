"""What the quick walk says of the functions of a module."""

import ast
from textwrap import dedent

from graphdoctor.source.survey import Survey


def surveyed(text: str) -> tuple[Survey, dict[str, ast.AST]]:
    """The survey of a text, and its definitions by their qualified names."""
    survey = Survey(ast.parse(dedent(text)))
    return survey, {name: node for node, name in survey.names.items()}


def test_a_yield_makes_the_innermost_function_a_generator() -> None:
    survey, named = surveyed("""
        def outer():
            def inner():
                yield 1
            return inner
        def plain():
            return (lambda: (yield))
    """)
    assert survey.generators == {named["outer.inner"], named["plain.<lambda>"]}


def test_functions_lambdas_and_classes_keep_the_names_of_those_around_them() -> None:
    survey, named = surveyed("""
        def alone(x):
            return [y for y in x]
        def outer():
            return lambda: 1
        def maker():
            class Inner:
                pass
    """)
    found = {name for name, node in named.items() if node in survey.enclosing}
    assert found == {"outer", "maker"}


def test_what_stands_before_a_body_has_the_name_of_the_outside() -> None:
    _, named = surveyed("""
        class Outer:
            @wrap(lambda f: f)
            def method(self, key=lambda x: x):
                return lambda y: y
    """)
    assert sorted(named) == ["Outer", "Outer.<lambda>", "Outer.method", "Outer.method.<lambda>"]


def test_mentions_go_from_inner_functions_to_those_around() -> None:
    survey, named = surveyed("""
        def outer():
            def inner(model):
                model.fit(epochs=count)
        def other():
            pass
    """)
    for name in ("outer", "outer.inner"):
        words = survey.mentions[named[name]]
        assert (words.names, words.attributes) == ({"model", "epochs", "count"}, {"fit"})
    assert survey.mentions[named["other"]].names == set()


def test_what_is_bound_anywhere() -> None:
    survey, _ = surveyed("""
        import a.b as c
        from d import *
        def f(parameter):
            for g in read:
                h: int = 1
    """)
    assert survey.bound == {"c", "*", "f", "g", "h"}
