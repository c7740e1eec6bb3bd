"""Exceptions and non-finite numbers → what happened, at which of the user's lines."""
