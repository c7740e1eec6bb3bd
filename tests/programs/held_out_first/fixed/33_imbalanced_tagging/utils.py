class LabelStatistics:
    """Counts examples while they pass by."""

    def __init__(self):
        self.examples = 0

    def see(self, labels):
        self.examples += len(labels)

    def summary(self):
        return "%d examples seen" % self.examples
