"""What a clothing is, and how a program is dressed in one or two of them."""

import ast
import copy
import dataclasses
import json
import random
from collections.abc import Callable, Iterable

ENTRY = "program.py"
NOTEBOOK = "program.ipynb"
Files = dict[str, ast.Module]
Dress = Callable[[ast.Module], ast.Module | Files | None]
FAMILIES = (
    "values", "callables", "places", "control", "keras", "wrapping", "imports", "modules", "notebook",
)  # fmt: skip


@dataclasses.dataclass(frozen=True)
class Clothing:
    """One way to write a program otherwise; `dress` gives None where it has nothing to change."""

    name: str
    family: str
    says: str
    dress: Dress


_all: list[Clothing] = []


def clothing(dress: Dress) -> Dress:
    """Make a function a clothing: its name, the file it stands in, and what its docstring says."""
    family = dress.__module__.rpartition(".")[2]
    says = (dress.__doc__ or "").strip()
    _all.append(Clothing(dress.__name__.replace("_", " "), family, says, dress))
    return dress


def all_clothes() -> list[Clothing]:
    """Every clothing, family by family, from the inside of a program to its files."""
    import tests.clothes.callables
    import tests.clothes.control
    import tests.clothes.imports
    import tests.clothes.keras
    import tests.clothes.modules
    import tests.clothes.notebook
    import tests.clothes.places
    import tests.clothes.values
    import tests.clothes.wrapping  # noqa: F401

    return sorted(_all, key=lambda one: FAMILIES.index(one.family))


def dressed(text: str, clothes: Iterable[Clothing]) -> dict[str, str] | None:
    """The files of a program that wears these, the inner first; None where one of them does not apply."""
    files = trees(text, clothes)
    return None if files is None else texts(files)


def trees(text: str, clothes: Iterable[Clothing]) -> Files | None:
    """The same as syntax trees, in which what was there before keeps the number of its line."""
    files: Files = {ENTRY: ast.parse(text)}
    for one in clothes:
        if ENTRY not in files:
            return None
        entry = files.pop(ENTRY)
        new = one.dress(copy.deepcopy(entry))
        if new is None:
            return None
        files |= new if isinstance(new, dict) else {ENTRY: new}
    return files


def texts(files: Files) -> dict[str, str]:
    """The texts of a program's files."""
    return {path: _text(path, tree) for path, tree in sorted(files.items())}


def first_lines(path: str, tree: ast.Module) -> dict[int, set[int]]:
    """For each line of a file, or of a notebook's cells together, the example's lines that it comes from."""
    cells = map(ast.unparse, tree.body if path == NOTEBOOK else [tree])
    found: dict[int, set[int]] = {}
    for before, now in zip(ast.walk(tree), ast.walk(ast.parse("\n".join(cells))), strict=False):
        if type(before) is not type(now):
            break
        if getattr(before, "lineno", 0) and hasattr(now, "lineno"):
            found.setdefault(now.lineno, set()).add(before.lineno)
    return found


def _text(path: str, tree: ast.Module) -> str:
    if path != NOTEBOOK:
        return ast.unparse(tree) + "\n"
    cells = [
        {
            "cell_type": "code",
            "source": ast.unparse(node).splitlines(keepends=True),
            "outputs": [],
            "metadata": {},
        }
        for node in tree.body
    ]
    return json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}, indent=1)


def pairs_of_clothes(count: int, seed: int = 0) -> list[tuple[Clothing, Clothing]]:
    """Pairs, drawn with a fixed seed; the inner comes first."""
    clothes = all_clothes()
    drawn = random.Random(seed)
    found = [sorted(drawn.sample(range(len(clothes)), 2)) for _ in range(count)]
    return [(clothes[inner], clothes[outer]) for inner, outer in found]
