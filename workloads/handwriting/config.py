"""The settings of a network, of its training, and of what was measured on its data: `config.yaml`."""

from pathlib import Path
from typing import Literal, get_args

from workloads.handwriting.texts import CAPITALS
from workloads.settings import Natural, Positive, Rate, Settings, SettingsError, load, save

Architecture = Literal["graves", "parallel"]
ARCHITECTURES: tuple[Architecture, ...] = get_args(Architecture)
Attention = Literal["cumsum", "scan", "tensorarray", "tensorarray_sliced"]
BUNDLED = ("tiny", "small", "paper")
FILE = "config.yaml"
HERE = Path(__file__).parent


class ModelConfig(Settings, frozen=True):
    """The network's shape."""

    architecture: Architecture = "graves"
    attention: Attention = "cumsum"  # how `parallel` computes its windows; see window.py
    hidden: Positive = 400
    layers: Positive = 3
    mixtures: Positive = 20
    components: Positive = 10  # Gaussians of the window
    points_per_character: Rate = 25.0  # where the window starts to move: κ̂ bias = -ln of this
    sees_height: bool = False  # whether it reads how far each point is below the line's start
    gate_gradient_bound: Rate | None = 10.0
    output_gradient_bound: Rate | None = 100.0


class DataConfig(Settings, frozen=True):
    """What was measured on the training lines."""

    scale: float  # the offsets' deviation: the network reads offsets divided by it
    points_per_character: float
    styles: tuple[str, ...] = ()  # the named hands among them


class TrainConfig(Settings, frozen=True):
    """How a network is trained."""

    batch_size: Positive = 32
    steps: Positive = 500
    learning_rate: Rate = 2e-3
    final_learning_rate: Rate = 1e-4  # reached at the last step, along a cosine
    warmup: Natural = 100
    gradient_norm: Rate = 10.0  # of the gradient per point, after the paper's own clipping
    evaluate_every: Positive = 200
    patience: Positive = 10  # evaluations without a better loss before training stops
    training_lines: Positive = 4000
    validation_lines: Positive = 128
    buckets: Positive = 4
    longest_text: Positive = 32  # characters of a training line
    styles: tuple[str, ...] = ("plain", "script", "slanted", "script")  # in turns: half of each font
    capitals: Rate = CAPITALS  # share of the words of bundled lines: with a capital, or all in capitals
    unnamed: Positive = 5  # one line in so many does not tell the network its style: for hands without a name
    seed: Natural = 1


class Config(Settings, frozen=True):
    """All settings of a training; `data` is filled in when the lines are known."""

    model: ModelConfig = ModelConfig()
    training: TrainConfig = TrainConfig()
    data: DataConfig | None = None


def find_config(name: str) -> Config:
    """The settings of this name that come with the workload, or those of a file."""
    return load(Config, HERE / f"config_{name}.yaml" if name in BUNDLED else Path(name))


def keep_config(config: Config, folder: Path) -> None:
    """Write the settings, or make sure that a training in this folder had the same."""
    path = folder / FILE
    if path.exists() and load(Config, path) != config:
        raise SettingsError(f"{path} was written with other settings: use them, or another folder")
    save(config, path)


def read_config(folder: Path) -> tuple[ModelConfig, DataConfig]:
    """The shape of a trained model, and what was measured on its data."""
    config = load(Config, folder / FILE)
    if config.data is None:
        raise SettingsError(f"{folder / FILE} does not say what was measured on the data: train first")
    return config.model, config.data
