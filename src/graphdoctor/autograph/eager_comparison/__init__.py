"""A function run eagerly and as a graph on the same inputs, and what differs."""
