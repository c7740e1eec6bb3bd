"""The settings of a model and of its training: frozen, checked, written beside the weights."""

import dataclasses

from workloads.handwriting.texts import CAPITALS

ARCHITECTURES = ("graves", "parallel")
ATTENTIONS = ("cumsum", "scan", "tensorarray", "tensorarray_sliced")


class ConfigError(ValueError):
    """A setting has a value that cannot work."""


def _one_of(name: str, value: str, choices: tuple[str, ...]) -> None:
    if value not in choices:
        raise ConfigError(f"{name} is {value!r}: expected one of {', '.join(choices)}")


def _positive(name: str, value: float) -> None:
    if not value > 0:
        raise ConfigError(f"{name} is {value!r}: expected a number above zero")


@dataclasses.dataclass(frozen=True)
class ModelConfig:
    """The network's shape."""

    architecture: str = "graves"
    attention: str = "cumsum"  # how `parallel` computes its windows; see window.py
    hidden: int = 400
    layers: int = 3
    mixtures: int = 20
    components: int = 10  # Gaussians of the window
    points_per_character: float = 25.0  # where the window starts to move: κ̂ bias = -ln of this
    sees_height: bool = False  # whether it reads how far each point is below the line's start
    gate_gradient_bound: float | None = 10.0
    output_gradient_bound: float | None = 100.0

    def __post_init__(self) -> None:
        _one_of("architecture", self.architecture, ARCHITECTURES)
        _one_of("attention", self.attention, ATTENTIONS)
        for name in ("hidden", "layers", "mixtures", "components", "points_per_character"):
            _positive(name, getattr(self, name))


@dataclasses.dataclass(frozen=True)
class DataConfig:
    """What was measured on the training lines."""

    scale: float  # the offsets' deviation: the network reads offsets divided by it
    points_per_character: float
    styles: tuple[str, ...] = ()  # the named hands among them


@dataclasses.dataclass(frozen=True)
class TrainConfig:
    """How a network is trained."""

    batch_size: int = 32
    steps: int = 500
    learning_rate: float = 2e-3
    final_learning_rate: float = 1e-4  # reached at the last step, along a cosine
    warmup: int = 100
    gradient_norm: float = 10.0  # of the gradient per point, after the paper's own clipping
    evaluate_every: int = 200
    patience: int = 10  # evaluations without a better loss before training stops
    training_lines: int = 4000
    validation_lines: int = 128
    buckets: int = 4
    longest_text: int = 32  # characters of a training line
    styles: tuple[str, ...] = ("plain", "script", "slanted", "script")  # in turns: half of each font
    capitals: float = CAPITALS  # share of the words of bundled lines: with a capital, or all in capitals
    unnamed: int = 5  # one line in so many does not tell the network its style: for hands without a name
    seed: int = 1

    def __post_init__(self) -> None:
        for name, value in dataclasses.asdict(self).items():
            if name not in ("seed", "warmup", "styles"):
                _positive(name, value)


MODELS = {
    "tiny": ModelConfig(hidden=16, layers=2, mixtures=3, components=3),
    "small": ModelConfig(hidden=100, layers=2, mixtures=10, components=8, sees_height=True),
    "shipped": ModelConfig(hidden=160, layers=2, mixtures=10, components=8, sees_height=True),
    "paper": ModelConfig(),
}
TRAININGS = {
    "tiny": TrainConfig(batch_size=8, steps=20, training_lines=64, validation_lines=16, evaluate_every=10),
    "small": TrainConfig(  # one style and short lines: readable after minutes
        steps=1000,
        learning_rate=4e-3,
        training_lines=6000,
        evaluate_every=100,
        longest_text=12,
        styles=("plain",),
    ),
    "paper": TrainConfig(steps=50_000, learning_rate=5e-4, training_lines=50_000),
}
