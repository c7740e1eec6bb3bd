"""Declare a signature, shape or dtype; write a `build` method."""
