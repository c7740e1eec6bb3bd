"""What a rule says of a program."""

import enum


class Severity(str, enum.Enum):
    """ERROR raises · WRONG is silently wrong · SLOW costs time or memory · NOTE is good to know."""

    ERROR = "ERROR"
    WRONG = "WRONG"
    SLOW = "SLOW"
    NOTE = "NOTE"

    @property
    def rank(self) -> int:
        """0 for ERROR, and more for less."""
        return tuple(Severity).index(self)
