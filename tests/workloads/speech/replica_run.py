"""A few updates per configuration, on one or two replicas; prints the losses. Run by test_distribution.py."""

import json
import os
import sys
from pathlib import Path

import tensorflow as tf
from tensorflow.python.distribute.collective_all_reduce_strategy import coordination_config_pb2
from tensorflow.python.eager.context import context

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


def be_patient(workers):
    """On a busy machine a worker may be silent for longer than TensorFlow waits before it gives it up."""
    context().configure_coordination_service(
        service_type="standalone",
        service_leader="/job:worker/replica:0/task:0",
        heartbeat_timeout_in_ms=300_000,
        coordinated_jobs=[coordination_config_pb2.CoordinatedJob(name="worker", num_tasks=workers)],
    )


if __name__ == "__main__":
    if "TF_CONFIG" in os.environ:
        be_patient(len(json.loads(os.environ["TF_CONFIG"])["cluster"]["worker"]))
    if "--two-devices" in sys.argv:
        (cpu,) = tf.config.list_physical_devices("CPU")
        tf.config.set_logical_device_configuration(cpu, [tf.config.LogicalDeviceConfiguration()] * 2)
    for path in sys.argv[1:]:
        if not path.startswith("--"):
            print(json.dumps(run(path)))
