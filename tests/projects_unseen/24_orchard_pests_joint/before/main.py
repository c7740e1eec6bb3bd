import argparse

from orchard.committee import Committee
from orchard.traps import trap_counts
from orchard.update import CommitteeTrainer


def main():
    parser = argparse.ArgumentParser(description="Committee of networks for pest counts")
    parser.add_argument("--members", type=int, default=3)
    parser.add_argument("--epochs", type=int, default=4)
    args = parser.parse_args()

    x, y = trap_counts(60)
    committee = Committee(args.members, inputs=x.shape[1])
    trainer = CommitteeTrainer(committee, learning_rate=5e-3)
    for epoch in range(args.epochs):
        loss = trainer.epoch(x, y, batch=20)
    print("members", len(committee), "loss", round(loss, 4))


if __name__ == "__main__":
    main()
