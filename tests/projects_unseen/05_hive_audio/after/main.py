import argparse

from hive.clips import ClipBank
from hive.train import Trainer, TrainSpec


def main():
    parser = argparse.ArgumentParser(description="Queen present or not, from hive sound")
    parser.add_argument("--epochs", type=int, default=8)
    parser.add_argument("--run", default="apiary")
    args = parser.parse_args()

    spec = TrainSpec(epochs=args.epochs, run=args.run)
    bank = ClipBank(clips=48, bins=20, seed=spec.seed)
    report = Trainer(spec, bank.bins).run(bank)
    for label, loss in report.items():
        print(label, round(loss, 4))
    print("epochs", len(report))


if __name__ == "__main__":
    main()
