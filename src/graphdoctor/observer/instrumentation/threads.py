"""What each thread of the program has for itself."""

import threading
from typing import Generic, TypeVar

Item = TypeVar("Item")


class OwnList(threading.local, Generic[Item]):
    """A list of which each thread has its own, empty at first."""

    def __init__(self) -> None:
        self.items: list[Item] = []
