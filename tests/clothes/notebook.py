"""The program in a notebook."""

import ast

from tests.clothes.clothing import NOTEBOOK, Files, clothing


@clothing
def notebook_cells(tree: ast.Module) -> Files | None:
    """Each statement is a cell of a notebook."""
    return {NOTEBOOK: tree}
