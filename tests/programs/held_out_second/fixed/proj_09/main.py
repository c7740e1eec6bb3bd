from fit import KernelFit
from source import batches
from filters import smooth


def main():
    fit = KernelFit()
    for noisy, clean in batches(25):
        loss = fit.step(noisy, clean)
    print("loss %.4f, %.2f s in smooth" % (float(loss), smooth.seconds))


if __name__ == "__main__":
    main()
