import argparse

from fed.devices import make_fleet
from fed.server import Server


def main():
    parser = argparse.ArgumentParser(description="Federated heart-rate model over wearables")
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--devices", type=int, default=6)
    parser.add_argument("--fraction", type=float, default=0.5)
    args = parser.parse_args()

    fleet = make_fleet(args.devices, seed=1)
    server = Server(features=fleet[0].features, fraction=args.fraction)
    for number in range(args.rounds):
        loss = server.round(number, fleet)
    print("rounds", args.rounds, "loss", round(loss, 4))


if __name__ == "__main__":
    main()
