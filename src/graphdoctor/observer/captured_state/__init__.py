"""What traced code reads from outside, and whether a graph still uses a value that has changed since."""
