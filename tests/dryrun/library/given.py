"""Arguments of a call, stated by hand."""

from graphdoctor.dryrun.libraries.tables.arguments import ABSENT, UNKNOWN, Shape

NUMBERS = (bool, int, float)


class Given:
    """Shapes and dtypes of tensors by parameter; every other keyword is a Python value."""

    def __init__(self, shapes: object = None, dtypes: object = None, **values: object) -> None:
        self.known_shapes = dict(shapes or {})
        self.known_dtypes = dict(dtypes or {})
        self.values = values

    def shape(self, parameter: str) -> Shape | None:
        number = () if type(self.values.get(parameter)) in NUMBERS else None
        return self.known_shapes.get(parameter, number)

    def shapes(self, parameter: str) -> list[Shape | None] | None:
        return self.known_shapes.get(parameter)

    def dtype(self, parameter: str) -> str | None:
        number = type(self.values.get(parameter))
        return self.known_dtypes.get(parameter, number.__name__ if number in NUMBERS else None)

    def value(self, parameter: str) -> object:
        tensors = self.known_shapes.keys() | self.known_dtypes.keys()
        return UNKNOWN if parameter in tensors else self.values.get(parameter, ABSENT)
