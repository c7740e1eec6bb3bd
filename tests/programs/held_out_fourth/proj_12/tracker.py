"""Keeps running values of whatever the training code reports."""
import collections


class Tracker:
    def __init__(self):
        self.values = collections.defaultdict(list)

    def add(self, **named):
        for name, value in named.items():
            self.values[name].append(value)

    def flush(self):
        values, self.values = self.values, collections.defaultdict(list)
        return values
