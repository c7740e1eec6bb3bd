"""Paths of gradients from tapes to variables: where each is recorded, and where it is lost."""
