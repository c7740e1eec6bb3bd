class Decay:
    """A temperature that falls with use."""

    def __init__(self, begin, rate):
        self.value = begin
        self.rate = rate

    def advance(self):
        self.value *= self.rate
