"""What cannot take a symbolic tensor, because it needs the values: files, paths, and libraries of pictures,
sound and tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from graphdoctor.dryrun.libraries.registry import Call

# Run on 2.21: each of them raises.
LIBRARIES = frozenset((
    "cv2", "PIL", "librosa", "soundfile", "skimage", "sklearn", "pandas", "imageio", "pydub", "wave",
))  # fmt: skip
FUNCTIONS = frozenset((
    "builtins.open", "io.BytesIO", "io.StringIO", "pathlib.Path", "pathlib.PurePath",
    "json.loads", "json.dumps", "json.dump", "numpy.load", "numpy.loadtxt", "numpy.genfromtxt",
    "numpy.fromfile", "numpy.save", "numpy.savetxt", "os.listdir", "os.remove", "os.makedirs", "os.mkdir",
    "os.stat", "os.rename", "os.path.join", "os.path.basename", "os.path.dirname", "os.path.splitext",
    "os.path.split", "os.path.exists", "os.path.isfile", "os.path.isdir", "os.path.abspath",
    "os.path.getsize", "os.path.normpath", "os.path.relpath",
))  # fmt: skip


def needs_values(call: Call) -> bool:
    """Whether a function outside TensorFlow was given a symbolic tensor, which raises; written down then."""
    if call.name not in FUNCTIONS and call.name.partition(".")[0] not in LIBRARIES:
        return False
    from graphdoctor.dryrun.libraries.table_calls import symbolic_argument

    symbolic = symbolic_argument(call)
    if symbolic is not None:
        call.machine.log.use("numpy", call.node, symbolic[0], call.name, symbolic[1])
    return symbolic is not None
