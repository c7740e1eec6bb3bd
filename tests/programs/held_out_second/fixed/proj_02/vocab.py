class Vocabulary:
    def __init__(self, words):
        self.index = {w: i + 1 for i, w in enumerate(words)}

    def __len__(self):
        return len(self.index) + 1

    def encode(self, text):
        return [self.index.get(w, 0) for w in text.split()]
