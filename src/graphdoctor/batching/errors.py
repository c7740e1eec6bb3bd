"""The one exception of this package, so that it can be used without the rest of graphdoctor."""


class BatchingError(ValueError):
    """Lengths, sizes or settings from which no batches can be planned."""


class OverlongWarning(UserWarning):
    """Examples longer than the limit were dropped or cut; the text says how many and how long."""


def require_positive(name: str, value: int) -> None:
    """Raise unless `value` is a whole number of at least one."""
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        raise BatchingError(f"`{name}` must be a whole number of at least 1, got {value!r}")
