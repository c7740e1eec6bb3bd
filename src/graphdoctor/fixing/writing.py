"""Changed texts → files: all of them or none, and none that changed in the meantime."""

import io
import os
import pathlib
import tempfile
import tokenize
from collections.abc import Collection, Mapping

from graphdoctor.errors import GraphdoctorError


def encoded_like(before: bytes, text: str) -> bytes:
    """The text in the encoding that the file's own first lines ask for."""
    encoding, _ = tokenize.detect_encoding(io.BytesIO(before).readline)
    return text.encode(encoding)


def replace_files(changed: Mapping[str, tuple[bytes, str]], named: Collection[str] | None = None) -> None:
    """Write texts by path, each with what the file held when it was read.

    A link is followed only where it is among `named`, or where all of them are.

    Nothing is written when one of the files has changed in the meantime, or cannot be written.
    """
    drafts: dict[pathlib.Path, pathlib.Path] = {}
    path = ""
    try:
        for path, (before, text) in changed.items():
            if named is not None and path not in named and os.path.islink(path):
                raise GraphdoctorError(f"{path} is a link, which only its name given to us would change")
            target = pathlib.Path(path).resolve()
            if target.read_bytes() != before:
                raise GraphdoctorError(f"{path} was changed meanwhile: nothing is written, start again")
            descriptor, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.graphdoctor-")
            draft = pathlib.Path(name)
            drafts[draft] = target
            with os.fdopen(descriptor, "wb") as file:
                file.write(encoded_like(before, text))
            draft.chmod(target.stat().st_mode)
            if not os.access(target, os.W_OK):
                raise PermissionError(13, "Permission denied")
        for draft, target in drafts.items():
            draft.replace(target)
    except OSError as error:
        raise GraphdoctorError(f"{path}: cannot be written: {error.strerror}") from error
    finally:
        for draft in drafts:
            draft.unlink(missing_ok=True)
