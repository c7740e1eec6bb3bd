"""The cells of a page, run in a real Jupyter kernel, one after the other."""

import pathlib
import warnings
from typing import Any

TIME_LIMIT = 600


def run_cells(cells: list[str], folder: pathlib.Path, environment: dict[str, str]) -> list[str]:
    """What each cell shows as text."""
    import nbformat
    from nbclient import NotebookClient

    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
    client = NotebookClient(
        notebook, timeout=TIME_LIMIT, kernel_name="python3", resources={"metadata": {"path": str(folder)}}
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of the client's own event loop
        client.execute(env=environment)
    return ["".join(map(_text, cell["outputs"])) for cell in notebook["cells"]]


def _text(output: Any) -> str:
    if output["output_type"] == "stream":
        return str(output["text"])
    return str(output["data"].get("text/plain", "")) + "\n"
