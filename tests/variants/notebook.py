"""The program in a notebook."""

import ast

from tests.variants.variants import NOTEBOOK, Files, variant


@variant
def notebook_cells(tree: ast.Module) -> Files | None:
    """Each statement is a cell of a notebook."""
    return {NOTEBOOK: tree}
