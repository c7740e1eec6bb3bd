"""The one way to read a file that we did not write: a regular one, of bounded size."""

import errno
import os
import stat

MOST_BYTES = 64 * 2**20


def read_regular(path: str, most: int = MOST_BYTES) -> bytes:
    """The content of a regular file; OSError for pipes, devices, folders and what is too large.

    A pipe is opened without waiting for who writes to it.
    """
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0)
    flags |= getattr(os, "O_BINARY", 0)
    try:
        descriptor = os.open(path, flags)
    except ValueError as error:  # a name with NUL
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), path) from error
    with os.fdopen(descriptor, "rb") as file:
        status = os.fstat(descriptor)
        if stat.S_ISDIR(status.st_mode):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), path)
        if not stat.S_ISREG(status.st_mode):
            raise OSError(errno.EINVAL, "it is not a regular file", path)
        if status.st_size > most:
            raise OSError(errno.EFBIG, f"it is larger than {most >> 20} MB", path)
        return file.read()
