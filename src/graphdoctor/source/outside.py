"""What a file works on that its source does not show: data that it reads, libraries that nobody knows."""

import ast
import sys
from collections.abc import Callable, Iterator

from graphdoctor.source.module import Module
from graphdoctor.source.names import dotted_name
from graphdoctor.source.nodes import walk
from graphdoctor.source.scopes import Scope

# Libraries whose behaviour the dry run knows, or on which nothing that is traced depends.
KNOWN = frozenset(sys.stdlib_module_names) | {
    "tensorflow", "keras", "tf_keras", "numpy", "scipy", "matplotlib", "mpl_toolkits", "seaborn", "tqdm",
    "absl", "six", "typing_extensions", "yaml", "termcolor", "colorama", "tabulate", "rich", "click",
    "IPython", "pytest", "graphdoctor", "psutil", "tensorboard", "setuptools", "gin", "omegaconf", "hydra",
    "ml_collections", "easydict", "attr", "msgspec", "pydantic", "wandb", "mlflow",
}  # fmt: skip
# Functions that read what somebody else has written; those that end with a point are all of a module.
READERS = (
    "builtins.input", "glob.", "numpy.fromfile", "numpy.genfromtxt", "numpy.load", "numpy.loadtxt",
    "numpy.memmap", "os.listdir", "os.scandir", "os.walk", "pickle.load", "scipy.io.", "scipy.misc.",
    "socket.", "sqlite3.", "urllib.",
    "tensorflow.data.Dataset.list_files", "tensorflow.data.FixedLengthRecordDataset",
    "tensorflow.data.TFRecordDataset", "tensorflow.data.TextLineDataset",
    "tensorflow.data.experimental.CsvDataset", "tensorflow.data.experimental.make_csv_dataset",
    "tensorflow.io.gfile.", "tensorflow.io.matching_files", "tensorflow.io.read_file",
    "keras.applications.", "keras.datasets.", "keras.models.load_model",
    "keras.preprocessing.image", "keras.utils.audio_dataset_from_directory", "keras.utils.get_file",
    "keras.utils.image_dataset_from_directory", "keras.utils.load_img",
    "keras.utils.text_dataset_from_directory",
)  # fmt: skip
READ_METHODS = ("read_text", "read_bytes")
SETTINGS = (".json", ".yaml", ".yml", ".toml", ".ini", ".cfg")
WRITTEN = frozenset("wax")
TEMPORARY = "tempfile"  # who works in a folder that is gone afterwards reads what it has written itself


def libraries(module: Module, is_own: Callable[[str], bool]) -> Iterator[str]:
    """The libraries that a file imports and nobody here knows; `is_own`: a name of the project's own."""
    for node in walk(module.tree):
        if isinstance(node, ast.Import | ast.ImportFrom):
            for names in _imported(node):
                library = names[0].partition(".")[0]
                if library not in KNOWN and not any(map(is_own, names)):
                    yield library


def readers(module: Module) -> Iterator[str]:
    """The functions by which a file reads what somebody else may have written."""
    nodes = walk(module.tree)
    statements = [node for node in nodes if isinstance(node, ast.Import | ast.ImportFrom)]
    imported = {(alias.asname or alias.name).partition(".")[0] for each in statements for alias in each.names}
    for node in nodes:
        if isinstance(node, ast.Call):
            name = dotted_name(node.func, _scope(module, node.func, imported)) or ""
            if name.startswith(READERS) or (name == "builtins.open" and _is_read(node)):
                yield name.removeprefix("builtins.")
            elif isinstance(node.func, ast.Attribute) and node.func.attr in READ_METHODS:
                yield node.func.attr


def _scope(module: Module, called: ast.expr, imported: set[str]) -> Scope:
    """The scope that knows what is called; the innermost one is looked for where a function imports it."""
    while isinstance(called, ast.Attribute):
        called = called.value
    root = module.walk.root
    local = isinstance(called, ast.Name) and called.id in imported and called.id not in root.bindings
    return module.scope_at(called) if local else root


def _imported(node: ast.Import | ast.ImportFrom) -> list[list[str]]:
    """What a statement imports, each under the names that its module may have: `tools`, `tools.image`."""
    if isinstance(node, ast.Import):
        return [[alias.name] for alias in node.names]
    if node.module is None or node.level:
        return []
    return [[node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]]


def _is_read(node: ast.Call) -> bool:
    """Whether a file is opened to be read, and is none of settings, which the project may have."""
    texts = [part.value for part in ast.walk(node) if isinstance(part, ast.Constant)]
    modes = [each for each in texts if isinstance(each, str) and 0 < len(each) <= 3]
    named = [each for each in texts if isinstance(each, str) and each.endswith(SETTINGS)]
    return not named and not any(WRITTEN.intersection(mode) for mode in modes)
