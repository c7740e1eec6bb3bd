"""Pen strokes: from drawn polylines to the offsets that the network reads, and back.

A stroke is an array [points, 2] of absolute x (right) and y (down). The network reads offsets
[points, 3]: the move to each point, and whether the pen is lifted after it.
"""

import itertools
from collections.abc import Sequence

import numpy as np

CORNER = np.deg2rad(50)  # a turn sharper than this stays a point of its own
FAR = 60.0  # longest pen-up or pen-down move we accept, in units of the offsets' deviation


class StrokeError(ValueError):
    """Strokes that cannot be used, and why."""


def corners(points: np.ndarray) -> np.ndarray:
    """Where a polyline must be cut: its ends and its sharp turns."""
    directions = points[1:] - points[:-1]  # [points - 1, 2]
    angles = np.arctan2(directions[:, 1], directions[:, 0])
    turns = np.abs((angles[1:] - angles[:-1] + np.pi) % (2 * np.pi) - np.pi)  # [points - 2]
    return np.concatenate([[0], np.flatnonzero(turns > CORNER) + 1, [len(points) - 1]])


def resample(points: np.ndarray, step: float) -> np.ndarray:
    """The same polyline with points about `step` apart, its corners kept."""
    # Most of the time of making training lines goes here: no `np.diff`, `linspace` or `stack`.
    moves = points[1:] - points[:-1]  # [points - 1, 2]
    apart = moves.any(axis=1)
    if not apart.all():  # repeated points have no direction
        points, moves = points[np.concatenate([[True], apart])], moves[apart]
    if len(points) < 2:
        return points
    lengths = np.zeros(len(points))
    np.cumsum(np.hypot(moves[:, 0], moves[:, 1]), out=lengths[1:])
    cuts = lengths[corners(points)].tolist()  # [pieces + 1]
    places = cuts[:1]
    for begin, end in itertools.pairwise(cuts):
        pieces = max(1, round((end - begin) / step))
        places += [number * ((end - begin) / pieces) + begin for number in range(1, pieces)]
        places.append(end)
    resampled = np.empty((len(places), 2))  # [new points, 2]
    for axis in (0, 1):
        resampled[:, axis] = np.interp(places, lengths, points[:, axis])
    return resampled


def to_offsets(strokes: Sequence[np.ndarray]) -> np.ndarray:
    """Offsets [points, 3] from the origin along all strokes."""
    if not strokes:
        raise StrokeError("expected at least one stroke, found none")
    places = np.concatenate(strokes)  # [points, 2]
    ends = np.zeros(len(places))
    ends[np.cumsum([len(stroke) for stroke in strokes]) - 1] = 1
    moves = np.diff(places, axis=0, prepend=np.zeros((1, 2)))  # [points, 2]
    return np.concatenate([moves, ends[:, np.newaxis]], axis=1).astype(np.float32)


def to_strokes(offsets: np.ndarray) -> list[np.ndarray]:
    """Absolute strokes from offsets [points, 3]."""
    places = np.cumsum(np.asarray(offsets[:, :2], np.float64), axis=0)  # [points, 2]
    cuts = np.flatnonzero(offsets[:, 2] > 0.5) + 1
    return [stroke for stroke in np.split(places, cuts) if len(stroke)]
