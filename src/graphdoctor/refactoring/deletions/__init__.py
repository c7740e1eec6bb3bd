"""Delete a switch or comment."""
