"""A written line: the noun that every data source gives and that everything else takes."""

from typing import NamedTuple

import numpy as np


class Line(NamedTuple):
    """A text and the pen points that write it, in units of the source."""

    text: str
    points: np.ndarray  # [points, 3]: offsets and the end of a stroke; starts with the pen up
    characters: np.ndarray | None  # [points]: each point's character, where that is known
    style: str = ""
