import dataclasses


@dataclasses.dataclass(frozen=True)
class Crossing:
    hour: int = 6
    fare: float = 4.0


def crossings(count):
    current = Crossing()
    for _ in range(count):
        yield current
        current = dataclasses.replace(current, hour=current.hour + 1)
