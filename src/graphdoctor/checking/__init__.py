"""Files → findings: one module, many files in processes, and the memory of what has not changed."""

from graphdoctor.checking.module import check_module, crash_finding, open_project
from graphdoctor.checking.paths import check_files

__all__ = ["check_files", "check_module", "crash_finding", "open_project"]
