import argparse

from ships.fit import TrackModel
from ships.tracks import TrackStore


def main():
    parser = argparse.ArgumentParser(description="Next position of a ship from its track")
    parser.add_argument("--tracks", type=int, default=12)
    parser.add_argument("--shortest", type=int, default=20)
    args = parser.parse_args()

    store = TrackStore(args.tracks, shortest=args.shortest, seed=2)
    model = TrackModel(units=8)
    errors = [model.learn(track) for track in store.stream()]
    print("tracks", len(errors), "error", round(errors[-1], 4))


if __name__ == "__main__":
    main()
