"""What a semantics-preserving variant is, and how a program is rewritten as one or two of them."""

import ast
import copy
import dataclasses
import json
import random
from collections.abc import Callable, Iterable

ENTRY = "program.py"
NOTEBOOK = "program.ipynb"
Files = dict[str, ast.Module]
Rewrite = Callable[[ast.Module], ast.Module | Files | None]
FAMILIES = (
    "values", "callables", "places", "control", "keras", "wrapping", "imports", "modules", "notebook",
)  # fmt: skip


@dataclasses.dataclass(frozen=True)
class Variant:
    """One semantics-preserving way to rewrite a program; `rewrite` gives None where it does not apply."""

    name: str
    family: str
    says: str
    rewrite: Rewrite


_all: list[Variant] = []


def variant(rewrite: Rewrite) -> Rewrite:
    """Make a function a variant: its name, the file it stands in, and what its docstring says."""
    family = rewrite.__module__.rpartition(".")[2]
    says = (rewrite.__doc__ or "").strip()
    _all.append(Variant(rewrite.__name__.replace("_", " "), family, says, rewrite))
    return rewrite


def all_variants() -> list[Variant]:
    """Every variant, family by family, from the inside of a program to its files."""
    import tests.variants.callables
    import tests.variants.control
    import tests.variants.imports
    import tests.variants.keras
    import tests.variants.modules
    import tests.variants.notebook
    import tests.variants.places
    import tests.variants.values
    import tests.variants.wrapping  # noqa: F401

    return sorted(_all, key=lambda one: FAMILIES.index(one.family))


def rewritten(text: str, variants: Iterable[Variant]) -> dict[str, str] | None:
    """The files of a program rewritten by these, the inner first; None where one of them does not apply."""
    files = trees(text, variants)
    return None if files is None else texts(files)


def trees(text: str, variants: Iterable[Variant]) -> Files | None:
    """The same as syntax trees, in which what was there before keeps the number of its line."""
    files: Files = {ENTRY: ast.parse(text)}
    for one in variants:
        if ENTRY not in files:
            return None
        entry = files.pop(ENTRY)
        new = one.rewrite(copy.deepcopy(entry))
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


def pairs_of_variants(count: int, seed: int = 0) -> list[tuple[Variant, Variant]]:
    """Pairs, drawn with a fixed seed; the inner comes first."""
    variants = all_variants()
    drawn = random.Random(seed)
    found = [sorted(drawn.sample(range(len(variants)), 2)) for _ in range(count)]
    return [(variants[inner], variants[outer]) for inner, outer in found]
