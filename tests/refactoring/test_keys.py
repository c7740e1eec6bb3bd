"""A text that is only a key: looked up by who calls, and where it is left."""

import inspect

import pytest

from graphdoctor.model import apply_edits
from graphdoctor.refactoring.tensor_arguments.dictionary_keys import found_by_caller
from graphdoctor.source import parse_module

PROGRAM = """
    import tensorflow as tf

    class Shop:
        def __init__(self, names):
            self.rows = {name: row for row, name in enumerate(names)}
            self.counts = {name: 1 for name in names}
            self.prices = tf.Variable([1.0, 2.0])
        def price(self, who: str):
            return self.prices[self.rows[who]]
        @tf.function
        def sell(self, name, count):
            return self.price(name) * count

    shop = Shop("ab")
    print(shop.sell("a", tf.constant(2.0)))
    """


def edited(program: str) -> str | None:
    text = inspect.cleandoc(program) + "\n"
    module = parse_module("program.py", text)
    (method,) = (each for each in module.functions.values() if each.name == "sell")
    edits = found_by_caller([module], method, "name")
    return apply_edits(text, edits) if edits is not None else None


def test_who_calls_looks_it_up() -> None:
    expected = (
        PROGRAM.replace("who: str", "who_row")
        .replace("self.rows[who]", "who_row")
        .replace("sell(self, name,", "sell(self, name_row,")
        .replace("self.price(name)", "self.price(name_row)")
        .replace('"a", tf', 'tf.constant(shop.rows["a"]), tf')
    )
    assert edited(PROGRAM) == inspect.cleandoc(expected) + "\n"


@pytest.mark.parametrize(
    ("text", "instead"),
    [
        pytest.param("* count", "* self.counts[name]", id="two dicts"),
        pytest.param("* count", "* len(name)", id="used as a text"),
        pytest.param('sell("a", tf', 'sell(name="a", count=tf', id="given by its name"),
        pytest.param("print(", 'shop.price("b")\n    print(', id="a helper that others call"),
        pytest.param("self.rows[who]", "ROWS[who]", id="no dict of the object"),
        pytest.param("print(", "sold = shop.sell\n    print(", id="a method that is given away"),
        pytest.param("@tf.function", "@tf.function(input_signature=[])", id="a signature"),
        pytest.param("return self.price(", "name += name\n            return self.price(", id="changed"),
    ],
)
def test_left_alone(text: str, instead: str) -> None:
    assert text in PROGRAM
    assert edited(PROGRAM.replace(text, instead, 1)) is None
