"""Initialise a name before the branch or loop that sets it."""
