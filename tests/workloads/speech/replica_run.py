"""A few updates per configuration, on one or two replicas; prints the losses. Run by test_distribution.py."""

import json
import sys
from pathlib import Path

import tensorflow as tf

from workloads.settings import load
from workloads.speech.config import Config
from workloads.speech.train import build_trainer


def run(path):
    trainer = build_trainer(load(Config, Path(path)))
    batches = trainer.batches()
    losses = [trainer.update(batches)["loss"] for _ in range(3)]
    losses.append(trainer.validate()["loss"])
    traces = [step.experimental_get_tracing_count() for step in (trainer.train_step, trainer.validation_step)]
    return {"replicas": trainer.strategy.num_replicas_in_sync, "losses": losses, "traces": traces}


if __name__ == "__main__":
    if "--two-devices" in sys.argv:
        (cpu,) = tf.config.list_physical_devices("CPU")
        tf.config.set_logical_device_configuration(cpu, [tf.config.LogicalDeviceConfiguration()] * 2)
    for path in sys.argv[1:]:
        if not path.startswith("--"):
            print(json.dumps(run(path)))
