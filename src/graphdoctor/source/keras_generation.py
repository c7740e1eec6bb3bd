"""Which Keras a module uses: 2, 3, or unknown; under 3, AutoGraph does not convert what Keras calls."""

import itertools
import os
import re
import sys
from collections.abc import Iterator

from graphdoctor.model.reading import read_regular
from graphdoctor.source.remembering import remembered_of_files

# Names that only one generation has. Patterns that begin with plain text are searched fastest; all are
# compiled when they are first needed, which in most runs few are.
ONLY_IN_3 = r"keras\.(?:ops|random|distribution|config|saving\.KerasFileEditor)\b"
FROM_3 = ("from keras import ops", "keras_core")  # what became Keras 3 was first published under that name
ONLY_IN_2 = (
    r"keras\.(?:backend\.(?:function|placeholder|[gs]et_session|learning_phase)|(?:layers\.)?experimental|"
    r"mixed_precision\.experimental|layers\.(?:AbstractRNNCell|DenseFeatures|CuDNN\w+|core|convolutional|"
    r"normalization|recurrent|advanced_activations|merge|embeddings|pooling|wrappers|noise)|engine|"
    r"optimizers\.legacy|optimizer_v2|wrappers\.scikit_learn|estimator|objectives|"
    r"utils\.(?:multi_gpu_model|generic_utils|np_utils|vis_utils|layer_utils))\b"
)
# Run on 2.21: Keras 3 has no `lr`, none of these methods, and takes the shape of a weight before its name.
# `experimental_run_v2` ended with TensorFlow 2.1, and nobody has written for its private Keras since 2.16.
CALLED_IN_2 = (
    r"\b(?:Adam|SGD|RMSprop|Adagrad|Adadelta|Nadam|Adamax)\(\s*lr\s*=|\.(?:fit|predict|evaluate)_generator\(|"
    r"\bimport np_utils\b|\.(?:predict_classes|experimental_run_v2)\(|\btensorflow\.python\.keras\b|"
    r"\bK\.(?:function|placeholder|[gs]et_session|learning_phase)\(|\.add_weight\(\s*f?[\"']"
)
FROM_2 = ("TF_USE_LEGACY_KERAS", "import tensorflow_addons", "from tensorflow_addons")
# Keras 2 beside Keras 3: it is the Keras of the file that imports it, not of the files beside that one.
ONLY_HERE_2 = "tf_keras"
FILES = ("pyproject.toml", "setup.py", "setup.cfg", "environment.yml", "Pipfile")
LISTS = r"(?:.*[-_.])?requirements.*\.txt"  # also all texts in a folder `requirements`
PINNED_TENSORFLOW = (
    r"\btensorflow(?:-cpu|-gpu|-macos|-intel)?(?:\[[\w,-]*\])?['\"]?\s*=?\s*['\"]?"
    r"((?:\s*,?\s*(?:==|~=|>=|<=|<|=|!=|>)\s*[\d.*]+)+)"
)
ONE_VERSION = r"(==|~=|>=|<=|<|=)\s*2\.(\d+)"
PINNED_KERAS = r"(?<![\w-])keras['\"]?\s*=?\s*['\"]?(==|~=|>=)\s*([23])\b"
WITHOUT_KERAS_3 = r"(?<![\w-])tensorflow[-_]addons\b"  # its last release came before Keras 3
EITHER = r"(?<![\w-])keras[-_]core\b"  # beside the Keras of TensorFlow: the code runs on both
PINNED_NUMPY = r"(?<![\w-])numpy['\"]?\s*=?\s*['\"]?(==|~=|=|<=|<)\s*1\.(\d+)"
BOTH = 0
BESIDE_KERAS_3 = r"(?<![\w-])tf[-_]keras\b"
FIRST_WITH_KERAS_3 = 16
NAMED_TENSORFLOW = (  # letters of other scripts may stand right before it
    r"(?i)(?<![a-z0-9])(?:tensorflow(?:-gpu)?|tf)\W{0,4}(?:version\W*)?2\.(\d+)"
)
READMES = ("README.md", "README.rst", "README.txt", "README")
NOT_FAR = 3
MOST_FILES = 1000
ENVIRONMENTS = ("venv", "env", "node_modules", "site-packages", "build", "dist")
INSTALLED_KERAS = r"keras-([23])\.[\w.]*\.dist-info$"


def generation_of(text: str, requirement: int | None) -> int | None:
    """The generation that a module's own text shows, else the one that the project requires or has."""
    return 2 if ONLY_HERE_2 in text else _shown_in(text) or requirement


def _shown_in(text: str) -> int | None:
    """The generation that a text shows for itself and for the files beside it."""
    if any(name in text for name in FROM_2) or re.search(ONLY_IN_2, text):
        return 2
    if any(name in text for name in FROM_3) or re.search(ONLY_IN_3, text):
        return 3
    return None


def known_generation(folder: str, required_by: "dict[str, int | None] | None" = None) -> int | None:
    """The generation of the code in a folder.

    It is what the project requires, else the one that all code of it agrees with, else what is installed.
    `required_by` keeps what is found out of the folders above, for one who asks for many.
    """
    return stated_generation(folder, required_by) or installed_generation(os.path.abspath(folder))


def sign_of_generation(folder: str, required_by: "dict[str, int | None] | None" = None) -> int:
    """A number that differs where another generation is known, or where it is not known in the same way."""
    known = known_generation(folder, required_by) or 0
    return -known if is_open(folder, required_by) else known


def is_open(folder: str, required_by: "dict[str, int | None] | None" = None) -> bool:
    """Whether a folder belongs to a project that does not say which Keras it is for."""
    return is_of_project(folder) and stated_generation(folder, required_by) is None


def stated_generation(folder: str, required_by: "dict[str, int | None] | None" = None) -> int | None:
    """The generation that the project itself tells of, whatever is installed."""
    required = required_generation(folder, required_by)
    return required if required is not None else written_generation(_root_of(os.path.abspath(folder)))


@remembered_of_files
def written_generation(root: str) -> int | None:
    """The generation that the code below a folder is written for: no file shows the other one.

    Where none does, the version of TensorFlow that its README or its own name tells.
    """
    found: set[int | None] = set()
    for path in itertools.islice(_code_below(root), MOST_FILES):
        found |= {_written_in(path)} - {None}
        if len(found) > 1:
            return None
    found = found or {_named_in(text_of(os.path.join(root, name))) for name in READMES} - {None}
    found = found or {_named_in(os.path.basename(root))} - {None}
    return found.pop() if len(found) == 1 else None


def _named_in(text: str) -> int | None:
    named = {int(minor) >= FIRST_WITH_KERAS_3 for minor in re.findall(NAMED_TENSORFLOW, text)}
    return (3 if named.pop() else 2) if len(named) == 1 else None


def text_of(path: str) -> str:
    """The text of a file; empty where there is none."""
    try:
        return read_regular(path).decode("utf-8", errors="replace").replace("\r\n", "\n")
    except OSError:
        return ""


def _code_below(root: str) -> Iterator[str]:
    for place, folders, names in os.walk(root):
        folders[:] = sorted(name for name in folders if not name.startswith(".") and name not in ENVIRONMENTS)
        yield from (os.path.join(place, name) for name in sorted(names) if name.endswith(".py"))


@remembered_of_files  # the folders of one project hold the same files
def _written_in(path: str) -> int | None:
    try:
        data = read_regular(path)
    except OSError:
        return None
    if b"keras" not in data and b"tensorflow_addons" not in data:
        return None
    text = data.decode("utf-8", errors="replace")
    return _shown_in(text) or (2 if re.search(CALLED_IN_2, text) else None)


def _root_of(folder: str) -> str:
    """The folder of the project: the one with its history, else the highest with requirements.

    Else the nearest with a README, not far above, as in what was downloaded without its history; else the
    outermost package, else the folder itself.
    """
    above = list(upwards(folder))
    if os.path.isdir(os.path.join(above[-1], ".git")):
        return above[-1]
    package = folder
    while os.path.exists(os.path.join(os.path.dirname(package), "__init__.py")):
        package = os.path.dirname(package)
    near = itertools.islice(upwards(package), NOT_FAR)
    readme = next(
        (each for each in near if any(os.path.isfile(os.path.join(each, n)) for n in READMES)), package
    )
    return next(filter(_has_requirements, reversed(above)), readme)


def is_of_project(folder: str) -> bool:
    """Whether a folder belongs to a project: something with a history, a README or requirements."""
    root = _root_of(os.path.abspath(folder))
    known = (*READMES, ".git")
    return _has_requirements(root) or any(os.path.exists(os.path.join(root, name)) for name in known)


@remembered_of_files  # the folders of one project stand below the same ones
def _has_requirements(folder: str) -> bool:
    return any(files_of_requirements(folder))


def required_generation(folder: str, required_by: "dict[str, int | None] | None" = None) -> int | None:
    """The generation that the nearest file of requirements at or above a folder pins."""
    known = required_by if required_by is not None else {}
    passed: list[str] = []
    answer: int | None = None
    for above in upwards(os.path.abspath(folder)):
        if above in known:
            answer = known[above]
            break
        passed.append(above)
        answers = {_read(path) for path in files_of_requirements(above)} - {None}
        if BOTH in answers:
            break
        if answers:
            answer = answers.pop() if len(answers) == 1 else None
            break
    known.update(dict.fromkeys(passed, answer))
    return answer


def pins_numpy_before(folder: str, minor: int) -> bool:
    """Whether the nearest file of requirements that pins NumPy asks for one before 1.`minor`."""
    for above in upwards(os.path.abspath(folder)):
        texts = map(text_of, files_of_requirements(above))
        found = (each for text in texts for each in re.findall(PINNED_NUMPY, text))
        pinned: list[int] = [int(version) - (operator == "<") for operator, version in found]
        if pinned:
            return max(pinned) < minor
    return False


def is_of_requirements(path: str) -> bool:
    """Whether a file is one that says what a project requires."""
    folder, name = os.path.split(path)
    if not name.endswith(".txt"):
        return name in FILES
    return os.path.basename(folder) == "requirements" or re.fullmatch(LISTS, name) is not None


def files_of_requirements(folder: str) -> Iterator[str]:
    """The files of a folder that say what a project requires."""
    for place in (folder, os.path.join(folder, "requirements")):
        try:
            names = sorted(os.listdir(place))
        except OSError:
            continue
        paths = (os.path.join(place, name) for name in names)
        yield from (path for path in paths if is_of_requirements(path))


def _read(path: str) -> int | None:
    return generation_in(text_of(path))


def generation_in(text: str) -> int | None:
    """The generation that a file of requirements pins; `BOTH` where it asks for both."""
    keras = {int(found) for _, found in re.findall(PINNED_KERAS, text)}
    if len(keras) == 1:
        return keras.pop()
    if re.search(EITHER, text):
        return BOTH
    if re.search(WITHOUT_KERAS_3, text):
        return 2
    versions = [
        one for several in re.findall(PINNED_TENSORFLOW, text) for one in re.findall(ONE_VERSION, several)
    ]
    found = {_from_version(operator, int(minor)) for operator, minor in versions} - {None}
    if re.search(BESIDE_KERAS_3, text):
        found.discard(3)  # which of the two the code uses, it shows itself
    return found.pop() if len(found) == 1 else None


def _from_version(operator: str, minor: int) -> int | None:
    if operator in ("==", "~=", "="):
        return 3 if minor >= FIRST_WITH_KERAS_3 else 2
    if operator == ">=":
        return 3 if minor >= FIRST_WITH_KERAS_3 else None
    return 2 if minor <= FIRST_WITH_KERAS_3 - (operator == "<=") else None


@remembered_of_files
def installed_generation(folder: str) -> int | None:
    """The generation in the environment of a folder's project, in the active one, or in our own."""
    if os.environ.get("TF_USE_LEGACY_KERAS", "").lower() in ("1", "true"):
        return 2
    found = (_installed_in(packages) for packages in _package_folders(folder))
    return next((generation for generation in found if generation is not None), None)


def _package_folders(folder: str) -> Iterator[str]:
    """Where packages are installed, the nearest to the project first."""
    environments = [os.path.join(above, name) for above in upwards(folder) for name in (".venv", "venv")]
    for environment in [*environments, os.environ.get("VIRTUAL_ENV", "")]:
        for library in ("lib", "Lib"):
            base = os.path.join(environment, library)
            if environment and os.path.isdir(base):
                names = sorted(name for name in os.listdir(base) if name.startswith("python3"))
                yield from (os.path.join(base, name, "site-packages") for name in [*names, ""])
    yield from (path for path in sys.path if path.endswith(("site-packages", "dist-packages")))


def upwards(folder: str) -> Iterator[str]:
    """A folder and those around it, up to the one that holds the project's history."""
    while True:
        yield folder
        parent = os.path.dirname(folder)
        if parent == folder or os.path.isdir(os.path.join(folder, ".git")):
            return
        folder = parent


@remembered_of_files
def _installed_in(packages: str) -> int | None:
    try:
        names = os.listdir(packages)
    except OSError:
        return None
    found = {int(match[1]) for name in names if (match := re.match(INSTALLED_KERAS, name))}
    return found.pop() if len(found) == 1 else None
