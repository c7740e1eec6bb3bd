"""Act before or when a module is imported, without importing it."""

import contextlib
import importlib.abc
import importlib.machinery
import sys
from collections.abc import Callable, Sequence
from types import ModuleType

Callback = Callable[[ModuleType], None]
Context = contextlib.AbstractContextManager[object]


def when_imported(name: str, callback: Callback, within: Context | None = None) -> Callable[[], None]:
    """Call `callback` with the module once it is imported, or now if it already is; returns the undoing.

    Args:
        within: the module is imported inside this context.
    """
    if name in sys.modules:
        callback(sys.modules[name])
        return lambda: None
    finder = _Finder(name, callback, within or contextlib.nullcontext())
    sys.meta_path.insert(0, finder)
    return finder.leave


def before_import(names: Sequence[str], callback: Callable[[], None]) -> None:
    """Call `callback` once, right before the first of these modules is imported, or now if one already is."""
    if any(name in sys.modules for name in names):
        callback()
    else:
        sys.meta_path.insert(0, _Announcer(frozenset(names), callback))


class _Announcer(importlib.abc.MetaPathFinder):
    def __init__(self, names: frozenset[str], callback: Callable[[], None]) -> None:
        self.names = names
        self.callback = callback

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        if fullname not in self.names or self not in sys.meta_path:
            return None
        sys.meta_path.remove(self)
        self.callback()
        # The callback may have put finders before us, which the import under way would pass over.
        return _ask_all(fullname, path, target)


class _Finder(importlib.abc.MetaPathFinder):
    """Stays until the module is imported: `importlib.util.find_spec` only asks where it is."""

    def __init__(self, name: str, callback: Callback, within: Context) -> None:
        self.name = name
        self.callback = callback
        self.within = within
        self.searching = False

    def leave(self) -> None:
        with contextlib.suppress(ValueError):
            sys.meta_path.remove(self)

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        if fullname != self.name or self.searching:
            return None
        self.searching = True  # others like this one ask all finders, too
        try:
            spec = _ask_all(fullname, path, target)
        finally:
            self.searching = False
        if spec is not None and spec.loader is not None:
            spec.loader = _Loader(spec.loader, self)
        return spec


def _ask_all(
    fullname: str, path: Sequence[str] | None, target: ModuleType | None
) -> importlib.machinery.ModuleSpec | None:
    for finder in list(sys.meta_path):
        find_spec = getattr(finder, "find_spec", None)
        spec = find_spec(fullname, path, target) if find_spec else None
        if spec is not None:
            return spec  # type: ignore[no-any-return]
    return None


class _Loader(importlib.abc.Loader):
    """The module's own loader, and a word when it is done; the module never sees this one."""

    def __init__(self, loader: importlib.abc.Loader, finder: _Finder) -> None:
        self.loader = loader
        self.finder = finder

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> ModuleType | None:
        return self.loader.create_module(spec)

    def exec_module(self, module: ModuleType) -> None:
        self.finder.leave()
        if module.__spec__ is not None:
            module.__spec__.loader = self.loader
        module.__loader__ = self.loader
        with self.finder.within:
            self.loader.exec_module(module)
        self.finder.callback(module)
