"""The one place that decides how a file is named in findings and reports."""

import os


def relative_path(path: str, directory: str) -> str:
    """A path as people name it: relative to the directory when it lies below it, absolute otherwise."""
    if path.startswith("<"):  # not a file: `<stdin>`, `<ipython-input-3>`
        return path
    absolute = os.path.normpath(os.path.join(directory, path))
    if absolute.startswith(directory.rstrip(os.sep) + os.sep):
        return os.path.relpath(absolute, directory)
    return absolute
