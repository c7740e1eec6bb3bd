"""A document → what is found in it, in the folder of the workspace that it belongs to."""

import contextlib
import dataclasses
import os
from collections.abc import Callable, Mapping

from graphdoctor.config import Config, load_config
from graphdoctor.errors import ConfigError
from graphdoctor.judging import Session
from graphdoctor.judging.same_cause import grouped
from graphdoctor.model import Finding, shown
from graphdoctor.model.paths import relative_path
from graphdoctor.rules.registry import selected_rules
from graphdoctor.server.documents import Document
from graphdoctor.server.settings import Settings, configuration_file
from graphdoctor.source.project_index import stamp_of


@dataclasses.dataclass(frozen=True)
class Checked:
    """What is shown of a document at one version, and the texts that were open then, by full path."""

    document: Document
    folder: str
    findings: tuple[Finding, ...]
    texts: Mapping[str, str]


class Checker:
    """Checks one document after the other, each as `graphdoctor check` does in its folder."""

    def __init__(self, settings: Settings, complain: Callable[[str], None]) -> None:
        self._settings = settings
        self._complain = complain
        self._configs: dict[str, tuple[object, Config]] = {}
        self._sessions: dict[str, tuple[Config, Session]] = {}

    def check(
        self, document: Document, folder: str, texts: Mapping[str, str], go_on: Callable[[], None]
    ) -> Checked:
        """What is shown of a document; SourceError when it is not Python."""
        with contextlib.suppress(OSError):  # a folder that was deleted: the names are full ones then
            os.chdir(folder)
        config = self._config(folder)
        path = relative_path(document.path, os.getcwd())
        report = self._session(folder, config).check(path, document.text, texts, go_on)
        findings = shown(grouped(report), self._settings.threshold(config)).findings
        return Checked(document, folder, findings, texts)

    def forget_files(self) -> None:
        """Files were written, moved or deleted."""
        for _, session in self._sessions.values():
            session.forget_files()

    def follows(self, folder: str, document: Document, path: str) -> bool:
        """Whether what was found in a document depends on a file."""
        known = self._sessions.get(folder)
        return known is not None and known[1].follows(relative_path(document.path, folder), path)

    def _session(self, folder: str, config: Config) -> Session:
        known = self._sessions.get(folder)
        if known is None or known[0] != config:
            known = self._sessions[folder] = config, Session(config)
        return known[1]

    def _config(self, folder: str) -> Config:
        """The configuration of a folder; where it is wrong, the one that it had before."""
        file = configuration_file(folder)
        state = file, stamp_of(file)
        known = self._configs.get(folder)
        if known is None or known[0] != state:
            config = known[1] if known is not None else Config()
            try:
                config = self._settings.on_top_of(load_config(folder))
                self._refuse_unknown(config)
            except ConfigError as error:
                self._complain(str(error))
            known = self._configs[folder] = state, config
        return known[1]

    def _refuse_unknown(self, config: Config) -> None:
        for chosen in (*config.select, *config.ignore, *config.extend_select):
            if not selected_rules((chosen,), ()):
                self._complain(f"no rule is called {chosen}")
