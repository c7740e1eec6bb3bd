"""A large stack chunk for deep recursion: the interpreter calls itself some hundred times deep."""

from collections.abc import Callable

# CPython 3.11 and later keeps the frames of calls in pieces of 16 KB, which it asks the system for and gives
# back whenever a call crosses from one to the next: a sixth of the time of a dry run. A call that says that
# it needs more gets a piece twice that large, and those inside it find room there. In words of eight bytes.
FRAME_WORDS = 1 << 17


def _run(action: Callable[[], None]) -> None:
    action()


_run.__code__ = _run.__code__.replace(co_stacksize=FRAME_WORDS)


def with_deep_calls(action: Callable[[], None]) -> None:
    """Run something that calls itself deeply."""
    _run(action)
