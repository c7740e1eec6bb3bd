"""Files of lengths → a histogram, row by row in bounded memory."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from graphdoctor.batching.errors import BatchingError
from graphdoctor.batching.histogram import LengthHistogram


def read_lengths(path: Path, columns: Sequence[str] = ()) -> LengthHistogram:
    """The lengths of a .csv file (with or without a header) or a .npy file.

    Args:
        columns: one or two header names or column numbers from 1; by default the only column, or
            both where there are two.
    """
    if len(columns) > 2:
        raise BatchingError(f"One or two columns can be planned together, got {len(columns)}")
    suffix = path.suffix.lower()
    if suffix == ".csv":
        return _read_csv(path, columns)
    if suffix == ".npy":
        return _read_npy(path, columns)
    raise BatchingError(f"{path}: expected a .csv or .npy file of lengths")


def _read_csv(path: Path, columns: Sequence[str]) -> LengthHistogram:
    with path.open(newline="", encoding="utf-8-sig") as file:
        rows = _numbered_rows(file, path)
        line, first = next(rows, (0, []))
        if not first:
            raise BatchingError(f"{path}: the file is empty, expected one length per line")
        header = None if all(map(_is_number, first)) else first
        wanted = _columns(path, header or first, header is not None, columns)
        histogram = LengthHistogram(len(wanted))
        if header is None:
            _add_row(histogram, path, line, first, wanted)
        for line, row in rows:
            _add_row(histogram, path, line, row, wanted)
    if histogram.total == 0:
        raise BatchingError(f"{path}: there is a header but no length below it")
    return histogram


def _numbered_rows(file: Any, path: Path) -> Iterator[tuple[int, list[str]]]:
    reader = csv.reader(file)
    try:
        for row in reader:
            if any(cell.strip() for cell in row):
                yield reader.line_num, row
    except (csv.Error, UnicodeDecodeError) as error:
        raise BatchingError(f"{path}, after line {reader.line_num}: not a CSV text: {error}") from None


def _columns(path: Path, first: list[str], named: bool, columns: Sequence[str]) -> list[int]:
    if not columns:
        if len(first) <= 2:
            return list(range(len(first)))
        raise BatchingError(f"{path} has {len(first)} columns: choose with --column")
    names = [name.strip() for name in first]
    found = []
    for column in columns:
        if named and column in names:
            found.append(names.index(column))
        elif column.isdigit() and 1 <= int(column) <= len(first):
            found.append(int(column) - 1)
        else:
            there = ", ".join(names) if named else f"1 to {len(first)}"
            raise BatchingError(f"{path} has no column {column!r}, only {there}")
    return found


def _add_row(histogram: LengthHistogram, path: Path, line: int, row: list[str], wanted: list[int]) -> None:
    cells = [row[index].strip() if index < len(row) else "" for index in wanted]
    try:
        histogram.add(tuple(map(int, cells)))
    except BatchingError as error:
        raise BatchingError(f"{path}, line {line}: {error}") from None
    except ValueError:
        raise BatchingError(
            f"{path}, line {line}: expected whole numbers, got {', '.join(map(repr, cells))}"
        ) from None


def _is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return True


def _read_npy(path: Path, columns: Sequence[str]) -> LengthHistogram:
    try:
        import numpy
    except ImportError:
        raise BatchingError("Reading .npy needs numpy: install it, or give a .csv file") from None
    try:
        array = numpy.load(path, mmap_mode="r", allow_pickle=False)
    except (ValueError, EOFError) as error:
        raise BatchingError(f"{path}: not a .npy array of numbers: {error}") from None
    if array.ndim not in (1, 2) or not numpy.issubdtype(array.dtype, numpy.integer):
        raise BatchingError(
            f"{path}: expected whole numbers in one or two columns, got {array.dtype} of shape {array.shape}"
        )
    table = array.reshape(len(array), -1)
    names = [str(index + 1) for index in range(table.shape[1])]
    wanted = _columns(path, names, False, columns)
    histogram = LengthHistogram(len(wanted))
    for start in range(0, len(table), 65_536):
        block = table[start : start + 65_536][:, wanted]
        values, counts = numpy.unique(block, axis=0, return_counts=True)
        for value, count in zip(values.tolist(), counts.tolist(), strict=True):
            histogram.add(tuple(value), count)
    return histogram
