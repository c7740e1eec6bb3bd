"""The build hook that compiles the dry run with mypyc, when it is asked for: `make compiled`.

Without it a wheel is pure Python and needs no compiler. The `.py` files are in both kinds of wheel: those
that are compiled count in the key of the cache. Nothing is written into the source tree.
"""

import os
import pathlib
import subprocess
import sys
import tempfile

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

SETUP = """
import sys
from mypyc.build import mypycify
from setuptools import setup

target, *files = sys.argv[1:]
options = ["--config-file=", "--ignore-missing-imports", "--cache-dir", target + "/cache", *files]
modules = mypycify(options, opt_level="2", debug_level="0", multi_file=True, target_dir=target)
build = ["build_ext", "--build-lib", target + "/lib", "--build-temp", target, "--parallel", "PARALLEL"]
setup(name="graphdoctor", packages=[], ext_modules=modules, script_args=build)
"""


class CompilingHook(BuildHookInterface):
    """Adds compiled modules, for the Python that builds, to a wheel."""

    def initialize(self, version: str, build_data: dict) -> None:
        """Compile what the configuration names, and put it beside the sources."""
        if version == "editable":
            return
        package = pathlib.Path(self.root, "src", "graphdoctor")
        found = [path for name in self.config["compiled"] for path in _modules(package / name)]
        left_out = {package / name for name in self.config["interpreted"]}
        files = [str(path.relative_to(package.parent)) for path in found if path not in left_out]
        self._folder = tempfile.TemporaryDirectory()
        target = self._folder.name
        script = SETUP.replace("PARALLEL", str(os.cpu_count() or 1))
        flags = (
            {"CFLAGS": f"{os.environ.get('CFLAGS', '')} -fvisibility=hidden"} if os.name == "posix" else {}
        )
        subprocess.run(
            [sys.executable, "-c", script, target, *files],
            cwd=package.parent,
            env={**os.environ, **flags},
            check=True,
            stdout=sys.stderr,  # which pip shows where it fails
        )
        made = [path for path in pathlib.Path(target, "lib").rglob("*") if path.suffix in (".so", ".pyd")]
        build_data["force_include"] = {str(path): str(path.relative_to(f"{target}/lib")) for path in made}
        build_data["pure_python"] = False
        build_data["infer_tag"] = True

    def finalize(self, version: str, build_data: dict, artifact_path: str) -> None:
        """The compiled modules are in the wheel."""
        if version != "editable":
            self._folder.cleanup()


def _modules(path: pathlib.Path) -> list[pathlib.Path]:
    return sorted(path.rglob("*.py")) if path.is_dir() else [path]
