from buffer import Replay
from dynamics import Dynamics
from environment import transitions


def main():
    replay = Replay()
    for item in transitions(100):
        replay.add(*item)
    model = Dynamics(replay.batches(16))
    sums = set()
    for _ in range(30):
        loss, checksum = model.update()
        sums.add(round(float(checksum), 4))
    print("loss %.5f, distinct batches %d" % (float(loss), len(sums)))


if __name__ == "__main__":
    main()
