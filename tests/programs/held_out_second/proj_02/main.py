from corpus import BAD, FILL, GOOD, reviews
from network import classifier
from pipeline import TextPipeline
from vocab import Vocabulary


def main():
    vocab = Vocabulary(GOOD + BAD + FILL)
    ds = TextPipeline(vocab).build(reviews())
    model = classifier(len(vocab))
    history = model.fit(ds, epochs=3, verbose=0)
    print("accuracy %.2f" % history.history["accuracy"][-1])


if __name__ == "__main__":
    main()
