import argparse

from clouds.frames import FrameSource
from clouds.nets import make_decoder, make_encoder
from clouds.nowcast import Nowcaster


def main():
    parser = argparse.ArgumentParser(description="Next cloud cover frame from the last one")
    parser.add_argument("--steps", type=int, default=12)
    parser.add_argument("--side", type=int, default=8)
    args = parser.parse_args()

    source = FrameSource(args.side, seed=6)
    caster = Nowcaster(make_encoder(args.side), make_decoder(args.side))
    for _ in range(args.steps):
        loss = caster.update(*source.pair(10))
    print("steps", args.steps, "loss", round(loss, 4))


if __name__ == "__main__":
    main()
