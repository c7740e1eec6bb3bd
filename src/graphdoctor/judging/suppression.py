"""What the user does not want to hear: `# noqa`, and rules that a configuration ignores for some files."""

from graphdoctor.config import Config
from graphdoctor.judging.modules import is_ignored_in_file
from graphdoctor.model import Finding
from graphdoctor.source.project import silencing_line
from graphdoctor.source.sites import Sources


def is_silenced(finding: Finding, sources: Sources, config: Config) -> bool:
    """Whether a comment at one of its places, or the configuration, silences a finding."""
    if is_ignored_in_file(finding, config):
        return True
    return silencing_line(finding, sources.module) is not None
