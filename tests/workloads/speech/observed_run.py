"""Two epochs of every kind of step; prints the number of shapes. Run under `graphdoctor run` by a test."""

import sys
from pathlib import Path

from workloads.settings import load
from workloads.speech.config import Config
from workloads.speech.trainer import Trainer

if __name__ == "__main__":
    trainer = Trainer(load(Config, Path(sys.argv[1])))
    batches = trainer.batches()
    shapes = set()
    for _epoch in range(2):
        for _ in range(len(trainer.training) // trainer.config.data.batch_size + 1):
            batch = next(batches)
            shapes.add(batch["mel"].shape[1])
            trainer.train_step(batch)
            trainer.accumulate_step(batch)
            trainer.validation_step(batch)
        trainer.steps.apply()
        trainer.validate()
    print(len(shapes))
