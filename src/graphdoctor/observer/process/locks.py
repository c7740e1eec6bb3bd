"""Which files are in use: the lock goes with the process, however that ends."""

import contextlib
import os

from graphdoctor.observer.process.system import fcntl


def mark_in_use(descriptor: int) -> None:
    """Hold a lock until the descriptor is closed; where that is impossible the file is as others are."""
    if fcntl is not None:
        with contextlib.suppress(OSError):
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)


def is_in_use(path: str) -> bool:
    """Whether a process that marked this file or folder still has it open."""
    if fcntl is None:
        return False
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:  # a file system without locks
        return False
    finally:
        os.close(descriptor)
    return False
