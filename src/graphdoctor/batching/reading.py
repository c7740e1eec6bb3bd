"""Files of lengths → a histogram, row by row in bounded memory."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice
from pathlib import Path
from typing import Any

from graphdoctor.batching.errors import BatchingError
from graphdoctor.batching.histogram import CHUNK, LengthHistogram


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
            rows = chain([(line, first)], rows)
        while _add_rows(histogram, path, islice(rows, CHUNK), wanted):
            pass
    if histogram.total == 0:
        raise BatchingError(f"{path}: there is a header but no length below it")
    return histogram


def _numbered_rows(file: Any, path: Path) -> Iterator[tuple[int, list[str]]]:
    reader = csv.reader(file)
    try:
        for row in reader:
            if any(cell.strip() for cell in row):
                yield reader.line_num, row
    except UnicodeDecodeError:
        raise BatchingError(f"{path} is not UTF-8 text: expected a .csv file of lengths") from None
    except csv.Error as error:
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
            there = ", ".join(names) if named else "1" if len(first) == 1 else f"1 to {len(first)}"
            raise BatchingError(f"{path} has no column {column!r}, only {there}")
    return found


def _add_rows(
    histogram: LengthHistogram, path: Path, rows: Iterable[tuple[int, list[str]]], wanted: list[int]
) -> bool:
    """Count some rows; whether there were any. Equal rows are looked at once: there are millions."""
    counts: Counter[tuple[str, ...]] = Counter()
    lines: dict[tuple[str, ...], int] = {}
    for line, row in rows:
        cells = tuple(row[index].strip() if index < len(row) else "" for index in wanted)
        counts[cells] += 1
        lines.setdefault(cells, line)
    for cells, line in lines.items():
        try:
            histogram.add(tuple(map(int, cells)), counts[cells])
        except BatchingError as error:
            raise BatchingError(f"{path}, line {line}: {error}") from None
        except ValueError:
            raise BatchingError(
                f"{path}, line {line}: expected whole numbers, got {', '.join(map(repr, cells))}"
            ) from None
    return bool(counts)


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
    except (ValueError, EOFError):
        raise BatchingError(f"{path} is not a .npy file of whole numbers") from None
    if array.ndim not in (1, 2) or not numpy.issubdtype(array.dtype, numpy.integer):
        raise BatchingError(
            f"{path}: expected whole numbers in one or two columns, got {array.dtype} of shape {array.shape}"
        )
    if array.size == 0:
        raise BatchingError(f"{path} holds no lengths: expected at least one")
    table = array.reshape(len(array), -1)
    names = [str(index + 1) for index in range(table.shape[1])]
    wanted = _columns(path, names, False, columns)
    histogram = LengthHistogram(len(wanted))
    for start in range(0, len(table), CHUNK):
        block = table[start : start + CHUNK][:, wanted]
        values, counts = numpy.unique(block, axis=0, return_counts=True)
        for value, count in zip(values.tolist(), counts.tolist(), strict=True):
            try:
                histogram.add(tuple(value), count)
            except BatchingError as error:
                raise BatchingError(f"{path}: {error}") from None
    return histogram
