"""A program that runs from a copy of its directory imports what is in the copy."""

import os
import sys


def move_imports(old: str, new: str) -> None:
    """Put the copy in place of the directory wherever Python looks for modules."""

    def moved(path: str) -> str:
        inside = path == old or path.startswith(old.rstrip(os.sep) + os.sep)
        return new + path[len(old.rstrip(os.sep)) :] if inside else path

    sys.path[:] = [moved(entry) if isinstance(entry, str) else entry for entry in sys.path]
    for name, module in list(sys.modules.items()):
        mapping = getattr(module, "MAPPING", None)
        if name.startswith("__editable__") and isinstance(mapping, dict):  # as `pip install -e` leaves it
            mapping.update({package: moved(path) for package, path in mapping.items()})
