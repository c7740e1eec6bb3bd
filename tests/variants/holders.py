"""Where values can be kept on their way: each holder says how they get in, and how they come out again."""

import ast
import dataclasses
from collections.abc import Callable

from tests.variants.syntax import expression, statements


@dataclasses.dataclass(frozen=True)
class Held:
    """`definitions` stand at the top, `lines` put the values in, `reads` take each out."""

    definitions: list[ast.stmt]
    lines: list[ast.stmt]
    reads: list[ast.expr]


Holder = Callable[[str, list[str], list[ast.expr]], Held]


def _held(
    name: str, fields: list[str], values: list[ast.expr], top: str, made: str, reads: list[str]
) -> Held:
    """`top` and `made` are texts; FIELDS, VALUES and GIVEN stand for `a, b`, the values, and `a=…, b=…`."""
    texts = [ast.unparse(value) for value in values]
    given = ", ".join(f"{field}={text}" for field, text in zip(fields, texts, strict=True))
    kind = f"{name.title().replace('_', '')}{len(fields)}"

    def filled(text: str) -> str:
        new = text.replace("KIND", kind).replace("NAME", name).replace("FIELDS", ", ".join(fields))
        return new.replace("GIVEN", given).replace("VALUES", ", ".join(texts))

    return Held(
        statements(filled(top)), statements(filled(made)), [expression(filled(read)) for read in reads]
    )


def _attributes(fields: list[str]) -> list[str]:
    return [f"NAME.{field}" for field in fields]


def variables(name: str, fields: list[str], values: list[ast.expr]) -> Held:
    """Variables of other names."""
    lines = [f"NAME_{field} = {ast.unparse(value)}" for field, value in zip(fields, values, strict=True)]
    return _held(name, fields, values, "", "\n".join(lines), [f"NAME_{field}" for field in fields])


def attributes(name: str, fields: list[str], values: list[ast.expr]) -> Held:
    """Attributes that are set on an object."""
    lines = [f"NAME.{field} = {ast.unparse(value)}" for field, value in zip(fields, values, strict=True)]
    made = "\n".join(["NAME = KIND()", *lines])
    return _held(name, fields, values, "class KIND:\n    pass", made, _attributes(fields))


def dictionary(name: str, fields: list[str], values: list[ast.expr]) -> Held:
    """The entries of a dict."""
    return _held(name, fields, values, "", "NAME = dict(GIVEN)", [f"NAME[{field!r}]" for field in fields])


def pair(name: str, fields: list[str], values: list[ast.expr]) -> Held:
    """The elements of a tuple."""
    return _held(name, fields, values, "", "NAME = (VALUES,)", [f"NAME[{n}]" for n in range(len(fields))])


def dataclass(name: str, fields: list[str], values: list[ast.expr]) -> Held:
    """The fields of a dataclass."""
    lines = "".join(f"\n    {field}: object" for field in fields)
    top = f"import dataclasses\n@dataclasses.dataclass\nclass KIND:{lines}"
    return _held(name, fields, values, top, "NAME = KIND(VALUES)", _attributes(fields))


def named_tuple(name: str, fields: list[str], values: list[ast.expr]) -> Held:
    """The fields of a named tuple."""
    top = f"import collections\nKIND = collections.namedtuple('KIND', {fields!r})"
    return _held(name, fields, values, top, "NAME = KIND(GIVEN)", _attributes(fields))


def typed_tuple(name: str, fields: list[str], values: list[ast.expr]) -> Held:
    """The fields of a `typing.NamedTuple`."""
    lines = "".join(f"\n    {field}: object" for field in fields)
    top = f"import typing\nclass KIND(typing.NamedTuple):{lines}"
    return _held(name, fields, values, top, "NAME = KIND(VALUES)", _attributes(fields))


def config_object(name: str, fields: list[str], values: list[ast.expr]) -> Held:
    """The attributes of an object that gets them as keywords."""
    top = "class KIND:\n    def __init__(self, **settings):\n        self.__dict__.update(settings)"
    return _held(name, fields, values, top, "NAME = KIND(GIVEN)", _attributes(fields))


def constructor(name: str, fields: list[str], values: list[ast.expr]) -> Held:
    """The attributes that an object's `__init__` sets."""
    lines = "".join(f"\n        self.{field} = {field}" for field in fields)
    top = f"class KIND:\n    def __init__(self, FIELDS):{lines}"
    return _held(name, fields, values, top, "NAME = KIND(VALUES)", _attributes(fields))


def properties(name: str, fields: list[str], values: list[ast.expr]) -> Held:
    """Properties."""
    lines = "".join(f"\n        self._{field} = {field}" for field in fields)
    reads = "".join(
        f"\n    @property\n    def {field}(self):\n        return self._{field}" for field in fields
    )
    top = f"class KIND:\n    def __init__(self, FIELDS):{lines}{reads}"
    return _held(name, fields, values, top, "NAME = KIND(VALUES)", _attributes(fields))


def namespace(name: str, fields: list[str], values: list[ast.expr]) -> Held:
    """A `types.SimpleNamespace`."""
    return _held(
        name, fields, values, "import types", "NAME = types.SimpleNamespace(GIVEN)", _attributes(fields)
    )


def class_attributes(name: str, fields: list[str], values: list[ast.expr]) -> Held:
    """The attributes of a class."""
    lines = [f"    {field} = {ast.unparse(value)}" for field, value in zip(fields, values, strict=True)]
    return _held(name, fields, values, "", "\n".join(["class NAME:", *lines]), _attributes(fields))


def command_line(name: str, fields: list[str], values: list[ast.expr]) -> Held:
    """The defaults of options of the command line."""
    lines = [
        f"NAME_parser.add_argument('--{field.replace('_', '-')}', type={type(value.value).__name__}, "
        f"default={ast.unparse(value)})"
        for field, value in zip(fields, values, strict=True)
        if isinstance(value, ast.Constant)
    ]
    made = ["NAME_parser = argparse.ArgumentParser()", *lines, "NAME = NAME_parser.parse_args()"]
    return _held(name, fields, values, "import argparse", "\n".join(made), _attributes(fields))
